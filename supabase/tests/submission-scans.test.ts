import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import { whileDamaged } from './support/damage.ts';
import {
  type Member,
  newAdmin,
  newCheckedOwner,
  newMember,
  newQuest,
  outsideBeta,
  type Quest,
  unwrap,
} from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { fillQuest } from './support/many-submissions.ts';
import { runPeriodicJob, tick } from './support/periodic-jobs.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const submit = (member: Member, quest: Quest, link: string) =>
  unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_url: link }));

/** Two members who submit the same link in beta, where both are paid at once. */
async function copiedLink() {
  const quest = await newQuest(await newCheckedOwner(), { task: { reward_points: 60 } });
  const [first, copier] = [await newMember('first'), await newMember('copier')];
  const link = `https://posts.example/${randomUUID()}`;
  const original = await submit(first, quest, link);
  return { quest, first, copier, original, copy: await submit(copier, quest, link) };
}

const kinds = async (submissionId: string) => {
  const { rows } = await sql().query<{ kind: string }>(
    'select kind from public.submission_flags where submission_id = $1',
    [submissionId],
  );
  return rows.map(({ kind }) => kind);
};
const isFlagged = async (submissionId: string) =>
  (await sql().query<{ is: boolean }>('select private.is_flagged($1::uuid) as is', [submissionId])).rows[0]?.is;

/** Points from flagged submissions in a member's redemption, as admins see them. */
async function flaggedPointsOf(member: Member) {
  const admin = await newAdmin();
  const { id } = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Pin', points_cost: 50 } }));
  await unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: id, p_idempotency_key: randomUUID() }));
  const [row] = await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: member.email }));
  return row?.flagged_points;
}

test('C-95 redeeming before the worker has run finds the flag', async () => {
  const { first, copier, original, copy } = await copiedLink();
  expect(await kinds(copy.id)).toEqual([]);
  expect(await flaggedPointsOf(copier)).toBe(50);
  expect(await kinds(copy.id)).toEqual(['same_link']);
  // Both waited to be scanned, and still only the later one is flagged.
  expect(await kinds(original.id)).toEqual([]);
  expect(await flaggedPointsOf(first)).toBe(0);
});

test("a member without unscanned proofs redeems without scanning others', however many are pending", async () => {
  const quest = await newQuest(await newCheckedOwner(), { task: { reward_points: 60 } });
  const [member, other] = [await newMember('scanned'), await newMember('waiting')];
  await submit(member, quest, `https://posts.example/${randomUUID()}`);
  await tick();
  const waiting = await submit(other, quest, `https://posts.example/${randomUUID()}`);
  expect(await flaggedPointsOf(member)).toBe(0);
  expect(await isFlagged(waiting.id)).toBe(true);
});

test('C-95 unscanned submissions count as flagged, so nothing is released for them; two scans at once scan them once', async () => {
  const { original, copy } = await copiedLink();
  expect(await isFlagged(original.id)).toBe(true);
  const holder = await sql().connect();
  try {
    await holder.query('begin');
    await holder.query('lock table private.submission_fingerprints in share mode');
    const scans = [0, 1].map(() => sql().query('select private.scan_submissions(null)'));
    await untilWaiting(2);
    await holder.query('rollback');
    await Promise.all(scans);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect(await isFlagged(original.id)).toBe(false);
  expect(await isFlagged(copy.id)).toBe(true);
  const failed = await sql().query('select 1 from private.failed_rows where row_id = any ($1)', [
    [original.id, copy.id],
  ]);
  expect(failed.rowCount).toBe(0);
});

test('BEY-02 C-95 a proof that is sent again while the rejected one is being scanned is scanned, too', () =>
  outsideBeta(async () => {
    const owner = await newCheckedOwner();
    const quest = await newQuest(owner);
    const [first, copier] = [await newMember('first'), await newMember('copier')];
    const link = `https://posts.example/${randomUUID()}`;
    await submit(first, quest, link);
    await tick();
    const { id } = await submit(copier, quest, `https://posts.example/${randomUUID()}`);
    const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
    await unwrap(owner.client.rpc('review_submission', rejection));

    const holder = await sql().connect();
    try {
      await holder.query('begin');
      await holder.query('lock table private.submission_fingerprints in share mode');
      const scan = runPeriodicJob('scan_submissions');
      await untilWaiting();
      await submit(copier, quest, link);
      await holder.query('rollback');
      await scan;
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await isFlagged(id)).toBe(true);
    await tick();
    expect(await kinds(id)).toEqual(['same_link']);
  }));

test('BEY-02 a link that somebody copies by sending a rejected proof again, all within a minute, is not held against its author', () =>
  outsideBeta(async () => {
    const owner = await newCheckedOwner();
    const quest = await newQuest(owner);
    const [author, copier] = [await newMember('author'), await newMember('copier')];
    const { id } = await submit(copier, quest, `https://posts.example/${randomUUID()}`);
    const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
    await unwrap(owner.client.rpc('review_submission', rejection));
    const link = `https://posts.example/${randomUUID()}`;
    const original = await submit(author, quest, link);
    await submit(copier, quest, link);
    await tick();
    expect([await kinds(original.id), await kinds(id)]).toEqual([[], ['same_link']]);
    // One scan is enough for both of its proofs.
    const left = await sql().query('select 1 from private.unscanned_submissions where submission_id = $1', [id]);
    expect(left.rowCount).toBe(0);
  }));

test('C-95 what a removed task leaves unscanned is scanned before it goes: the flag outlives the proof', async () => {
  const owner = await newCheckedOwner();
  const quest = await newQuest(owner);
  const { id, title, summary } = quest.campaign;
  const save = (...p_tasks: Json[]) =>
    unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: id,
        p_campaign: { title, summary, budget_points: 100 },
        p_tasks,
      }),
    );
  await save(...quest.tasks, { title: 'Stays', instructions_md: 'Do it.', reward_points: 10, max_completions: 5 });
  const { data: stays } = await owner.client.from('tasks').select().eq('campaign_id', id).eq('title', 'Stays').single();
  const link = `https://posts.example/${randomUUID()}`;
  await submit(await newMember('first'), quest, link);
  const copy = await submit(await newMember('copier'), quest, link);
  await save(stays);
  const { rows } = await sql().query('select id from public.submissions where campaign_id = $1', [id]);
  expect(rows).toEqual([]);
  expect(await kinds(copy.id)).toEqual(['same_link']);
});

test('C-95 a submission that cannot be scanned counts as flagged, also when its points are redeemed, and blocks neither the worker nor the others', async () => {
  const { first, copier, original, copy } = await copiedLink();
  const refuse = 'refuse_one_fingerprint';
  await sql().query(`create function private.${refuse}() returns trigger language plpgsql as
    $$ begin raise exception 'broken'; end $$`);
  await sql().query(`create trigger ${refuse} before insert on private.submission_fingerprints for each row
    when (new.submission_id = '${original.id}') execute function private.${refuse}()`);
  try {
    await tick();
    expect(await isFlagged(original.id)).toBe(true);
    const third = await newMember('third');
    const next = await submit(third, await newQuest(await newCheckedOwner()), `https://posts.example/${randomUUID()}`);
    await tick();
    expect(await isFlagged(next.id)).toBe(false);
    expect(await flaggedPointsOf(copier)).toBe(0);
    expect(await flaggedPointsOf(first)).toBe(50);
  } finally {
    await sql().query(`drop trigger ${refuse} on private.submission_fingerprints`);
    await sql().query(`drop function private.${refuse}()`);
  }
  await tick();
  expect([await isFlagged(original.id), await isFlagged(copy.id)]).toContain(false);
});

test('a submission whose scan fails every time, and takes all of it, keeps the next ones waiting once, with a warning', async () => {
  const quest = await newQuest(await newCheckedOwner());
  const prove = async () => submit(await newMember(), quest, `https://posts.example/${randomUUID()}`);
  await tick();
  const [broken, next] = [await prove(), await prove()];
  const client = await sql().connect();
  const warnings: (string | undefined)[] = [];
  client.on('notice', ({ message }) => warnings.push(message));
  const scan = () => client.query("select private.scan_submissions('100 milliseconds')");
  const takesLong = `new.submission_id = '${broken.id}' and pg_sleep(0.2)::text is not null`;
  await whileDamaged('insert on private.submission_fingerprints', takesLong, async () => {
    await scan();
    expect(await isFlagged(next.id)).toBe(true);
    await scan();
    expect([await isFlagged(broken.id), await isFlagged(next.id)]).toEqual([true, false]);
  }).finally(() => client.release(true));
  expect(warnings[0]).toBe(`Submission ${broken.id} cannot be scanned: damaged`);
  await tick();
  expect(await isFlagged(broken.id)).toBe(false);
});

test('a proof like five hundred others of a quest with much to read is scanned in no time', async () => {
  const words = (length: number, from: number) =>
    Array.from({ length: length / 4 }, (_, n) => `w${(from + n).toString(36)}q`)
      .join(' ')
      .slice(0, length);
  const quest = await newQuest(await newCheckedOwner(), {
    campaign: { details_md: words(10_000, 10_000) },
    task: { instructions_md: words(5000, 20_000) },
  });
  const text = words(1900, 30_000);
  const prove = async () =>
    unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: text }));
  const first = await prove();
  await tick();
  await fillQuest(quest.campaign.id, { tasks: 1, rows: 500, text: `'${text}'` });
  await sql().query(
    `insert into private.submission_fingerprints (key, submission_id)
     select f.key, s.id from public.submissions s cross join private.submission_fingerprints f
     where s.campaign_id = $1 and s.user_id like 'pool-%' and f.submission_id = $2`,
    [quest.campaign.id, first.id],
  );
  const last = await prove();
  const client = await sql().connect();
  try {
    // Compared one by one with everything that it shares a fingerprint with, it takes many seconds, and the worker's tick fails.
    await client.query("set statement_timeout = '3s'");
    await client.query('select private.scan_submission($1)', [last.id]);
  } finally {
    await client.query('reset statement_timeout');
    client.release();
  }
  expect(await kinds(last.id)).toEqual(['similar_text']);
});
