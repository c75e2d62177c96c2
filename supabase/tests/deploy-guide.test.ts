import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../local/paths.ts';
import { testEnv } from '../../local/testing/clients.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const read = (document: string) => readFileSync(join(PROJECT_ROOT, 'docs', document), 'utf8');
const guide = read('deploy.md');
const statementsOf = (text: string) => [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);
const statements = statementsOf(guide);
/** The statements in the prose of a document. */
const inSentencesOf = (text: string) =>
  [...text.matchAll(/`((?:update|select|delete|do) [^`]+)`/g)].map(([, sql = '']) => sql.replace(/\s+/g, ' '));

/** Minimal pg_cron, pg_net and vault, which record what is scheduled, called and stored. As on the platform, cron.job can only be read. */
const PLATFORM = `
  create schema cron;
  create table cron.jobs (jobid bigserial, jobname text unique, schedule text, command text, active boolean default true);
  create view cron.job as select * from cron.jobs offset 0;
  create table cron.job_run_details (jobid bigint, end_time timestamptz);
  create function cron.schedule(name text, schedule text, command text) returns bigint language sql as $$
    insert into cron.jobs (jobname, schedule, command) values (name, schedule, command) returning jobid $$;
  create function cron.alter_job(job_id bigint, schedule text default null, active boolean default null) returns void language sql as $$
    update cron.jobs j set schedule = coalesce(alter_job.schedule, j.schedule), active = coalesce(alter_job.active, j.active)
    where j.jobid = job_id $$;
  create schema vault;
  create table vault.secrets (id uuid default gen_random_uuid(), name text unique, secret text);
  create view vault.decrypted_secrets as select id, name, secret as decrypted_secret from vault.secrets;
  create function vault.create_secret(secret text, name text) returns void language sql as $$
    insert into vault.secrets (name, secret) values (name, secret) $$;
  create function vault.update_secret(secret_id uuid, new_secret text) returns void language sql as $$
    update vault.secrets set secret = new_secret where id = secret_id $$;
  create schema net;
  create table net._http_response (id bigserial, status_code integer, content text);
  create table net.calls (url text, headers jsonb, body jsonb);
  create function net.http_post(url text, body jsonb, headers jsonb, timeout_milliseconds integer) returns void language sql as $$
    insert into net.calls (url, headers, body) values (url, headers, body) $$;
`;

interface Job {
  jobname: string;
  schedule: string;
  command: string;
  active: boolean;
}

/** Runs `work` after everything that the guide puts into the SQL editor, and rolls back. */
async function followed(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(PLATFORM);
    for (const sql of statements) await client.query(sql.replace(/^create extension .*pg_(?:cron|net).*;$/gm, ''));
    await work(client);
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

const report = async (client: pg.Client) =>
  (await client.query('select public.get_deployment_report() as report')).rows[0].report;

test('the SQL of docs/deploy.md runs, and sets what the doctor checks', async () => {
  expect(statements.length).toBeGreaterThan(3);
  await followed(async (client) => {
    expect(await report(client)).toMatchObject({
      has_owner_email: true,
      token_issuer: 'https://clerk.questboard.example',
    });
    const { rows } = await client.query('select has_live_updates from private.deployment');
    expect(rows).toEqual([{ has_live_updates: true }]);
  });
});

test('the schedule calls each worker with its secret and nothing else, and keeps its own log for 30 days', () =>
  followed(async (client) => {
    const { rows: jobs } = await client.query<Job>('select * from cron.job order by jobname');
    const { rows: workers } = await client.query('select worker, schedule from private.expected_workers() order by 1');
    const calling = jobs.filter(({ jobname }) => jobname !== 'trim-schedule-log');
    expect(calling.map(({ jobname, schedule }) => ({ worker: jobname, schedule }))).toEqual(workers);
    for (const { command } of calling) await client.query(command);
    const { rows: calls } = await client.query('select url, headers, body from net.calls order by url');
    expect(calls).toEqual(
      workers.map(({ worker }) => ({
        url: `https://PROJECT.supabase.co/functions/v1/${worker}`,
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer YOUR CRON_SECRET' },
        body: {},
      })),
    );

    const trim = jobs.find(({ jobname }) => jobname === 'trim-schedule-log');
    await client.query(
      `insert into cron.job_run_details values (1, now() - interval '30 days'), (2, now() - interval '30 days 1 second'), (3, null)`,
    );
    await client.query(trim?.command ?? '');
    const { rows } = await client.query('select jobid from cron.job_run_details order by jobid');
    expect(rows).toEqual([{ jobid: '1' }, { jobid: '3' }]);
    expect((await report(client)).schedules).toHaveLength(workers.length + 1);
  }));

test('the statements in its prose run too: a new schedule secret, a disabled job, other hours', () =>
  followed(async (client) => {
    const inSentences = inSentencesOf(guide);
    expect(inSentences.length).toBeGreaterThan(4);
    for (const sql of inSentences) await client.query(sql);
    const { rows: secrets } = await client.query("select secret from vault.secrets where name = 'cron_secret'");
    expect(secrets).toEqual([{ secret: 'NEW' }]);
    const { rows: off } = await client.query('select jobname from cron.job where not active');
    expect(off).toEqual([{ jobname: 'deliver-events' }]);
    const { rows } = await client.query('select has_live_updates, digest_hour from private.deployment');
    expect(rows).toEqual([{ has_live_updates: false, digest_hour: 6 }]);
  }));

test('docs/runbooks.md has the monitor look again as soon as the cause is fixed', () =>
  followed(async (client) => {
    const again = inSentencesOf(read('runbooks.md')).filter((sql) => sql.startsWith('do '));
    expect(again).toHaveLength(1);
    await client.query(again[0] ?? '');
    expect((await client.query('select url from net.calls')).rows).toEqual([
      { url: 'https://PROJECT.supabase.co/functions/v1/self-check' },
    ]);
  }));

test('TRUST-01 docs/runbooks.md mends a wallet that was updated by hand and has been booked on since', () =>
  followed(async (client) => {
    const { rows } = await client.query<{ id: string; user_id: string }>(
      "select id, user_id from public.wallets where kind = 'user' and points > 0 limit 1",
    );
    const [{ id, user_id } = { id: '', user_id: '' }] = rows;
    await client.query('update public.wallets set points = points + 7 where id = $1', [id]);
    await client.query("select public.credit_points_safe($1, 3, 'Booked on')", [user_id]);
    const problems = async () => {
      const found = await client.query(
        'select problem from private.wallet_problems() union all select problem from private.balance_problems() order by 1',
      );
      return found.rows.map(({ problem }) => problem);
    };
    expect(await problems()).toEqual(['entry_balance', 'wallet_points']);
    const [mend = ''] = statementsOf(read('runbooks.md'));
    await client.query(mend.replaceAll('WALLET', id));
    expect(await problems()).toEqual([]);
  }));

test.each(['restore.md', 'runbooks.md'])('the statements in docs/%s run', (document) =>
  followed(async (client) => {
    const inSentences = inSentencesOf(read(document));
    expect(inSentences.length).toBeGreaterThan(2);
    for (const sql of inSentences) await client.query(sql);
  }),
);
