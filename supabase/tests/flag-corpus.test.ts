import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { sql, testEnv } from '../../local/testing/clients.ts';
import { differenceHash } from '../functions/_shared/difference-hash.ts';
import { CORPUS_FILE, type Corpus, type CorpusSubmission } from './flags/corpus.ts';
import { draw } from './flags/draw.ts';
import { makeCorpus } from './flags/make-corpus.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const corpus: Corpus = JSON.parse(readFileSync(CORPUS_FILE, 'utf8'));

/** Kinds of flags that match what was planted; a fraud flagged for anything else does not count as found. */
const EXPECTED = {
  link: ['same_link'],
  file: ['same_picture'],
  picture: ['similar_picture', 'same_picture'],
  text: ['similar_text'],
  pace: ['too_fast'],
  relation: ['related_account'],
  mailbox: ['disposable_mailbox', 'aliased_mailbox'],
};

interface Result extends CorpusSubmission {
  kinds: string[];
}

/** Submits one by one, each with the member's history backdated as it should be, because submit_proof uses the clock. */
async function play(client: pg.PoolClient): Promise<Result[]> {
  const tasks = await setUp(client);
  const joinedBefore = new Map(corpus.members.map((member) => [member.id, member.joinedBefore]));
  const ids: string[] = [];
  for (const row of corpus.submissions) {
    await client.query(
      'update public.user_profiles set created_at = now() - make_interval(secs => $2) where user_id = $1',
      [row.member, row.at + (joinedBefore.get(row.member) ?? 0)],
    );
    for (const [index, earlier] of corpus.submissions.slice(0, ids.length).entries()) {
      if (earlier.member !== row.member) continue;
      await client.query(
        'update public.submissions set submitted_at = now() - make_interval(secs => $2), created_at = now() - make_interval(secs => $2) where id = $1',
        [ids[index], row.at - earlier.at],
      );
    }
    ids.push(await submit(client, row, tasks.get(row.quest) ?? ''));
    await client.query('select private.scan_submissions(null)');
  }
  const { rows } = await client.query<{ id: string; kinds: string[] }>(
    `select s.id, array(
       select f.kind from public.submission_flags f where f.submission_id = s.id and f.dismissed_at is null
     ) as kinds from public.submissions s where s.id = any ($1)`,
    [ids],
  );
  const kindsOf = new Map(rows.map((row) => [row.id, row.kinds]));
  return corpus.submissions.map((row, index) => ({ ...row, kinds: kindsOf.get(ids[index] ?? '') ?? [] }));
}

/** Creates members, projects and quests. Returns each quest's task. */
async function setUp(client: pg.PoolClient): Promise<Map<string, string>> {
  await client.query('update public.app_settings set beta_mode = false');
  for (const { id, email, referrer } of corpus.members) {
    await client.query('insert into public.user_profiles (user_id, username, email) values ($1, $1, $2)', [id, email]);
    await client.query('select private.remember_mailbox($1, $2)', [id, email]);
    if (referrer) {
      await client.query(
        "insert into public.referrals (referrer_user_id, referred_user_id, referral_code) values ($1, $2, 'CORPUS')",
        [referrer, id],
      );
    }
  }
  const tasks = new Map<string, string>();
  for (const { id, owner, website, title, instructions } of corpus.quests) {
    const { rows } = await client.query<{ id: string }>(
      `with project as (
         insert into public.startup_profiles (owner_user_id, name, website, industry, status)
         values ($1, $2, $3, 'Other', 'verified') returning id
       ), quest as (
         insert into public.campaigns (startup_id, title, status, published_at, task_count, total_slots)
         select id, $4, 'published', now() - interval '30 days', 1, 1000 from project returning id
       )
       insert into public.tasks (campaign_id, title, type, instructions_md, reward_points, max_completions)
       select id, $4, 'custom', $5, 0, 1000 from quest returning id`,
      [owner, `Project of ${id}`, website, title, instructions],
    );
    tasks.set(id, rows[0]?.id ?? '');
  }
  return tasks;
}

async function submit(client: pg.PoolClient, row: CorpusSubmission, taskId: string): Promise<string> {
  const url = row.picture ? await upload(client, row) : row.url;
  await client.query("select set_config('request.jwt.claims', $1, false)", [
    JSON.stringify({ iss: testEnv().IDENTITY_ISSUER, sub: row.member, role: 'authenticated' }),
  ]);
  const { rows } = await client.query<{ id: string }>('select id from public.submit_proof($1, $2, $3)', [
    taskId,
    url ?? null,
    row.text ?? null,
  ]);
  return rows[0]?.id ?? '';
}

/** What the storage API and the function verify-upload record. */
async function upload(client: pg.PoolClient, { member, quest, picture }: CorpusSubmission): Promise<string> {
  if (!picture) throw new Error('no picture');
  const path = `${member}/${quest}.png`;
  const pixels = draw(picture);
  await client.query(
    `with file as (
       insert into storage.objects (bucket_id, name, owner_id, version) values ('proofs', $1, $2, 'v1') returning id
     )
     insert into private.verified_uploads (bucket, path, object_id, version, owner, sha256, dhash, bytes, mime)
     select 'proofs', $1, id, 'v1', $2, $3, ('x' || $4)::bit(64), $5, 'image/png' from file`,
    [path, member, createHash('sha256').update(pixels.data).digest('hex'), differenceHash(pixels), pixels.data.length],
  );
  return `proofs/${path}`;
}

let results: Result[];
beforeAll(async () => {
  const client = await sql().connect();
  try {
    results = await play(client);
  } finally {
    client.release(true);
  }
}, 120_000);

const describeRow = ({ fraud, quest, member, note, kinds, url, text }: Result): string =>
  `${fraud ?? 'honest'} (${note}) by ${member} in ${quest}: ${kinds.join(', ') || 'no flag'} ${url ?? text ?? ''}`;

test('corpus.json is what make-corpus.ts generates: 40 frauds of seven kinds, 400 honest submissions', () => {
  expect(corpus).toEqual(JSON.parse(JSON.stringify(makeCorpus())));
  const frauds = corpus.submissions.filter(({ fraud }) => fraud !== null);
  expect([frauds.length, corpus.submissions.length - frauds.length]).toEqual([40, 400]);
  expect(new Set(frauds.map(({ fraud }) => fraud)).size).toBe(7);
});

test('BEY-02 at least 36 of 40 planted frauds carry a matching flag', () => {
  const missed = results.filter(({ fraud, kinds }) => fraud && !kinds.some((kind) => EXPECTED[fraud].includes(kind)));
  expect(missed.length, missed.map(describeRow).join('\n')).toBeLessThanOrEqual(4);
});

test('BEY-02 at most 4 of 400 honest submissions are flagged', () => {
  const wrong = results.filter(({ fraud, kinds }) => !fraud && kinds.length > 0);
  expect(wrong.length, wrong.map(describeRow).join('\n')).toBeLessThanOrEqual(4);
});
