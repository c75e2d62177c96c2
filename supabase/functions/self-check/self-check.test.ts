import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeSql, sql, testEnv } from '../../../local/testing/clients.ts';
import { CRON_SECRET } from '../_testing/backend.ts';
import { type Served, serveFunctions } from '../_testing/served-functions.ts';

const OWNER = 'owner@mail.test';

describe('self-check', () => {
  let served: Served;
  let reports: unknown[];

  beforeAll(async () => {
    served = await serveFunctions();
  });
  afterAll(() => served.close());
  beforeEach(() => {
    reports = [];
    served.backend.procedures.clear();
    served.backend.procedures.set('report_worker_run', (args) => void reports.push(args));
    served.backend.procedures.set('reconcile_ledger', () => []);
  });

  const found = (...problems: string[]) =>
    served.backend.procedures.set('run_self_check', () => ({ owner_email: OWNER, problems }));
  const run = (secret = CRON_SECRET) => served.post('self-check', {}, { authorization: `Bearer ${secret}` });
  const mails = async () => {
    const response = await fetch(`${served.emulators.mailUrl}/emails`);
    return ((await response.json()) as { data: { to: string[]; subject: string; text: string }[] }).data;
  };

  it('sends no mail when all is well', async () => {
    found();
    expect(await (await run()).json()).toEqual({ ok: true, problems: [] });
    expect(reports).toEqual([{ p_worker: 'self-check', p_problem: null }]);
    expect(await mails()).toEqual([]);
  });

  it('mails the owner the findings, the same ones once a day, and stores them for the doctor and the monitor', async () => {
    found('Ledger: 2 figures differ', 'Mail: 3 were given up');
    expect(await (await run()).json()).toMatchObject({ ok: true, problems: [expect.any(String), expect.any(String)] });
    found('Ledger: 2 figures differ', 'Mail: 4 were given up');
    await run();
    const sent = await mails();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: [OWNER], subject: 'Questboard needs you' });
    expect(sent[0]?.text).toContain('Mail: 3 were given up');
    expect(reports[0]).toEqual({
      p_worker: 'self-check',
      p_problem: 'Ledger: 2 figures differ | Mail: 3 were given up',
    });
    found('Ledger: 2 figures differ');
    await run();
    expect(await mails()).toHaveLength(2);
  });

  it('TRUST-01 names how many figures of the ledger differ from their recount, and the first one', async () => {
    found('Mail: 3 were given up');
    served.backend.procedures.set('reconcile_ledger', () => [
      { problem: 'wallet_points', subject_type: 'wallet', subject_id: 'one', expected: 1, actual: 2 },
      { problem: 'wallet_points', subject_type: 'wallet', subject_id: 'two', expected: 1, actual: 2 },
    ]);
    const problem = 'Ledger: 2 figures differ from their recount, the first is wallet_points of wallet one';
    expect(await (await run()).json()).toMatchObject({ problems: [problem, 'Mail: 3 were given up'] });
  });

  it('TRUST-01 mails the owner that the ledger could not be recounted, as when it takes too long', async () => {
    const before = (await mails()).length;
    found('Mail: 3 were given up');
    served.backend.procedures.delete('reconcile_ledger');
    const problem = expect.stringMatching(/^Ledger not recounted: .*reconcile_ledger answered/);
    expect(await (await run()).json()).toMatchObject({ problems: [problem, 'Mail: 3 were given up'] });
    expect((await mails()).slice(before)).toMatchObject([
      { to: [OWNER], text: expect.stringContaining('not recounted') },
    ]);
  });

  it('mails a finding that quotes an error of several lines', async () => {
    const before = (await mails()).length;
    found('Mail: 1 were given up, the last because of "UNEXPECTED: ZodError: [\n  {}\n]"');
    await run();
    expect(await mails()).toHaveLength(before + 1);
  });

  it('is for the schedule only', async () => {
    expect((await run('someone')).status).toBe(403);
  });
});

describe('the health check', () => {
  it.each([
    ['200 while all is well', { late_workers: [], has_problems: false }, 200],
    ['503 when a worker is silent', { late_workers: ['deliver-events'], has_problems: false }, 503],
    ['503 when the last check found something', { late_workers: [], has_problems: true }, 503],
    ['503 when the database does not answer', null, 503],
  ])('answers %s, and queries the database once in ten seconds', async (_what, answer, status) => {
    const served = await serveFunctions();
    try {
      if (answer) served.backend.procedures.set('get_health', () => answer);
      const ask = () => fetch(`${served.functions.url}/self-check`);
      // At once, as a flood of them would come.
      const [response] = await Promise.all([ask(), ask(), ask()]);
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({
        ok: status === 200,
        database: answer !== null,
        lateWorkers: answer?.late_workers ?? [],
        hasProblems: answer?.has_problems ?? false,
      });
      // As some monitors ask.
      const head = await fetch(`${served.functions.url}/self-check`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([status, '']);
      expect(served.backend.calls.filter(({ name }) => name === 'get_health')).toHaveLength(1);
    } finally {
      await served.close();
    }
  });
});

describe('on the stack', () => {
  afterAll(closeSql);
  const { SUPABASE_URL, CRON_SECRET: secret } = testEnv();

  it('TRUST-01 finds a wallet that was changed outside the ledger, a lost mail and a silent worker', async () => {
    const problems = async (): Promise<string[]> => {
      const headers = { authorization: `Bearer ${secret}` };
      const response = await fetch(`${SUPABASE_URL}/functions/v1/self-check`, { method: 'POST', headers });
      expect(response.status).toBe(200);
      return ((await response.json()) as { problems: string[] }).problems;
    };
    const about = (found: string[], word: string) => found.filter((problem) => problem.startsWith(word));
    // Other tests of this stack insert rows directly.
    const before = about(await problems(), 'Ledger');
    await sql().query(
      `insert into private.worker_runs (worker, last_success_at) values ('remove-orphans', now() - interval '4 hours')
       on conflict (worker) do update set last_success_at = excluded.last_success_at`,
    );
    expect(about(await problems(), 'Schedule: remove-orphans')).toHaveLength(1);
    const { rows } = await sql().query<{ id: string }>(
      `insert into public.outbox_events (type, failed_at, last_error) values ('Tested', now(), 'PLANTED') returning id`,
    );
    const wallet = await sql().query<{ id: string }>(
      'update public.wallets set points = points + 7 where id = (select id from public.wallets order by points desc limit 1) returning id',
    );
    try {
      const found = await problems();
      expect(about(found, 'Ledger')).toHaveLength(1);
      expect(about(found, 'Ledger')).not.toEqual(before);
      expect(about(found, 'Mail').join()).toContain('PLANTED');
    } finally {
      await sql().query('update public.wallets set points = points - 7 where id = $1', [wallet.rows[0]?.id]);
      await sql().query('update public.outbox_events set processed_at = now(), failed_at = null where id = $1', [
        rows[0]?.id,
      ]);
    }
    expect(about(await problems(), 'Ledger')).toEqual(before);
  });
});
