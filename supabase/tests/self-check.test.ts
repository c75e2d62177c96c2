import { describe, expect, test } from 'vitest';
import { withClient } from '../../local/database/connection.ts';
import { asService, sql, testEnv } from '../../local/testing/clients.ts';
import { refusal, unwrap } from './support/factories.ts';
import { runPeriodicJob, runPeriodicJobs } from './support/periodic-jobs.ts';
import { rolledBack } from './support/rolled-back.ts';

/** All mails are sent and all workers are alive. */
const WELL = `
  delete from public.outbox_events;
  delete from private.worker_runs;
  insert into private.worker_runs (worker, last_success_at) select worker, now() from private.expected_workers()`;

/** The procedure's answer on a healthy system after these statements. Everything is rolled back. */
async function answerAfter<T>(procedure: string, ...statements: string[]): Promise<T> {
  return await withClient(testEnv().ADMIN_DATABASE_URL, async (client) => {
    await client.query('begin');
    // Disables triggers, which would refuse or repair the damage.
    await client.query("set local session_replication_role = 'replica'; set local time zone 'UTC'");
    for (const statement of [WELL, ...statements]) await client.query(statement);
    const { rows } = await client.query(`select public.${procedure}() as answer`);
    await client.query('rollback');
    return rows[0].answer;
  });
}

const problemsAfter = async (...statements: string[]) =>
  (await answerAfter<{ problems: string[] }>('run_self_check', ...statements)).problems;

const mail = (columns: string, values: string) =>
  `insert into public.outbox_events (type, ${columns}) select 'Tested', v.* from (values ${values}) v`;
const lastSuccess = (worker: string, at: string) =>
  `update private.worker_runs set last_success_at = ${at} where worker = '${worker}'`;

describe('run_self_check', () => {
  test('finds nothing on a healthy system, and knows whom to alert', async () => {
    const owner = "update public.app_settings set owner_email = 'owner@example.com'";
    expect(await answerAfter('run_self_check', owner)).toEqual({ owner_email: 'owner@example.com', problems: [] });
  });

  test('C-50 reports how many mails were given up, and the latest error', async () => {
    const one = mail('failed_at, last_error', "(now() - interval '2 hours', 'first')");
    expect(await problemsAfter(one)).toEqual(['Mail: 1 were given up, the last because of "first"']);
    const another = mail('failed_at, last_error', "(now() - interval '1 hour', 'second')");
    expect(await problemsAfter(another, one)).toEqual(['Mail: 2 were given up, the last because of "second"']);
    // A mail that was sent after all is no problem any more.
    expect(await problemsAfter(mail('failed_at, processed_at, last_error', "(now(), now(), 'x')"))).toEqual([]);
  });

  test('C-50 reports a mail that has been pending for more than an hour', async () => {
    const since = (minutes: number) => `now() - interval '${minutes} minutes'`;
    expect(await problemsAfter(mail('created_at', `(${since(60)})`))).toEqual([]);
    expect(await problemsAfter(mail('created_at', `(${since(61)})`))).toHaveLength(1);
    expect(await problemsAfter(mail('created_at, processed_at', `(${since(90)}, now())`))).toEqual([]);
    expect(
      await problemsAfter(
        mail('created_at', `(timestamptz '2026-01-02 03:04Z'), ('2026-01-02 03:05Z'), (${since(5)})`),
      ),
    ).toEqual(['Mail: the oldest has been waiting since 2026-01-02 03:04 UTC']);
    expect(await problemsAfter(mail('created_at, failed_at, last_error', `(${since(90)}, now(), 'x')`))).toEqual([
      'Mail: 1 were given up, the last because of "x"',
    ]);
  });

  test('names silent workers, including one that has never run, but not itself', async () => {
    for (const [worker, patience] of [
      ['deliver-events', '10 minutes'],
      ['import-logos', '10 minutes'],
      ['remove-orphans', '3 hours'],
      ['self-check', '3 hours'],
    ] as const)
      for (const [ago, late] of [
        [patience, []],
        [`${patience} 1 second`, [worker]],
      ]) {
        const health = await answerAfter('get_health', lastSuccess(worker, `now() - interval '${ago}'`));
        expect(health).toMatchObject({ late_workers: late });
      }
    expect(
      await problemsAfter(
        lastSuccess('import-logos', "'2026-01-02 03:04Z'"),
        lastSuccess('deliver-events', 'null'),
        lastSuccess('self-check', 'null'),
      ),
    ).toEqual([
      'Schedule: deliver-events has not ended well since it was set up',
      'Schedule: import-logos has not ended well since 2026-01-02T03:04:00+00:00',
    ]);
  });
});

test("a successful run clears the last one's finding", async () => {
  const run = (p_problem?: string) =>
    asService().rpc('report_worker_run', { p_worker: 'import-logos', p_problem }).throwOnError();
  const found = async () =>
    (await sql().query("select last_problem from private.worker_runs where worker = 'import-logos'")).rows;
  await run('No answer');
  expect(await found()).toEqual([{ last_problem: 'No answer' }]);
  await run('x'.repeat(501));
  expect(await found()).toEqual([{ last_problem: 'x'.repeat(500) }]);
  await run();
  expect(await found()).toEqual([{ last_problem: null }]);
  // A failure leaves the time of the last success.
  await sql().query(
    "update private.worker_runs set last_run_at = '2026-01-01', last_success_at = '2026-01-01' where worker = 'import-logos'",
  );
  await run('No answer');
  const { rows } = await sql().query(
    "select last_run_at, last_success_at from private.worker_runs where worker = 'import-logos'",
  );
  expect(rows).toEqual([{ last_run_at: expect.any(Date), last_success_at: new Date('2026-01-01') }]);
  expect(rows[0].last_run_at.getTime()).toBeGreaterThan(rows[0].last_success_at.getTime());
  await run();
});

const failedJobs = async () => {
  const { problems } = (await unwrap(asService().rpc('run_self_check'))) as { problems: string[] };
  return problems.filter((problem) => problem.startsWith('Periodic work'));
};

test('a failing periodic job is undone, and reported until it succeeds', async () => {
  await sql().query(`
    alter function private.expire_subscriptions() rename to expire_subscriptions_kept;
    create function private.expire_subscriptions() returns void language plpgsql as
      $$ begin
        perform private.audit('system', 'probe', 'probe', '1', null);
        raise exception 'ada@example.com cannot be read' using hint = 'PROBE'; end $$`);
  await runPeriodicJob('expire_subscriptions');
  await runPeriodicJob('close_ended_quests');
  const { rows } = await sql().query("select 1 from public.audit_log where action = 'probe'");
  expect(rows).toEqual([]);
  expect(await failedJobs()).toEqual([
    expect.stringMatching(/^Periodic work: expire_subscriptions has failed since \d{4}-.* UTC with P0001 PROBE$/),
  ]);

  await sql().query("update private.failed_jobs set failing_since = '2026-01-02 03:04Z'");
  expect(await failedJobs()).toEqual([
    'Periodic work: expire_subscriptions has failed since 2026-01-02 03:04 UTC with P0001 PROBE',
  ]);

  await sql().query(`
    drop function private.expire_subscriptions();
    alter function private.expire_subscriptions_kept() rename to expire_subscriptions`);
  await runPeriodicJobs();
  expect(await failedJobs()).toEqual([]);
});

test('of what a periodic job failed with, 500 characters are kept', async () => {
  const kept = async (hint: string) =>
    rolledBack(async (client) => {
      await client.query(
        `create or replace function private.expire_subscriptions() returns void language plpgsql as
         $$ begin raise exception 'x' using hint = '${hint}'; end $$`,
      );
      await client.query("select public.run_periodic_job('expire_subscriptions')");
      return (await client.query("select last_error from private.failed_jobs where job = 'expire_subscriptions'")).rows;
    });
  expect(await kept(`${'h'.repeat(493)}ab`)).toEqual([{ last_error: `P0001 ${'h'.repeat(493)}a` }]);
});

test('a periodic job that reaches the statement timeout is reported, too', async () => {
  const [blocker, worker] = [await sql().connect(), await sql().connect()];
  try {
    await blocker.query('begin');
    await blocker.query('lock table public.subscriptions in access exclusive mode');
    await worker.query("set statement_timeout = '200ms'");
    await worker.query("select public.run_periodic_job('expire_subscriptions')");
  } finally {
    await blocker.query('rollback');
    await worker.query('reset statement_timeout');
    blocker.release();
    worker.release();
  }
  expect(await failedJobs()).toEqual([expect.stringMatching(/^Periodic work: expire_subscriptions .* with 57014$/)]);
  await runPeriodicJobs();
  expect(await failedJobs()).toEqual([]);
});

test('only the listed jobs can be run', async () => {
  for (const p_job of ['reconcile', 'expire_subscriptions()', '', null as never])
    expect(await refusal(asService().rpc('run_periodic_job', { p_job }))).toMatchObject({ code: 'JOB_NOT_FOUND' });
});

describe('get_health', () => {
  test('names late workers, and says whether the last self-check found anything', async () => {
    const problemOf = (worker: string) =>
      `update private.worker_runs set last_problem = 'Mail' where worker = '${worker}'`;
    expect(await answerAfter('get_health')).toEqual({ late_workers: [], has_problems: false });
    expect(await answerAfter('get_health', problemOf('import-logos'))).toMatchObject({ has_problems: false });
    expect(
      await answerAfter('get_health', problemOf('self-check'), lastSuccess('remove-orphans', "'2026-01-01'")),
    ).toEqual({ late_workers: ['remove-orphans'], has_problems: true });
  });
});
