import { afterAll, beforeAll, expect, it } from 'vitest';
import { CRON_SECRET } from '../_testing/backend.ts';
import { type Served, serveFunctions } from '../_testing/served-functions.ts';

let served: Served;

beforeAll(async () => {
  served = await serveFunctions();
});
afterAll(() => served.close());

/**
 * Runs the worker with the jobs a to e, of which some are not answered; resolves to the jobs that it called, mails being the last, and to its
 * problem.
 */
async function run(unanswered: string[]): Promise<{ called: unknown[]; problem: unknown }> {
  const called: unknown[] = [];
  let problem: unknown;
  const { procedures } = served.backend;
  procedures.set('settle_due_reviews', () => {
    if (unanswered.includes('settle_due_reviews')) throw new Error('down');
    return 0;
  });
  procedures.set('list_periodic_jobs', () => ['a', 'b', 'c', 'd', 'e']);
  procedures.set('run_periodic_job', ({ p_job }) => {
    called.push(p_job);
    if (unanswered.includes(String(p_job))) throw new Error('down');
  });
  procedures.set('claim_outbox_events', () => {
    called.push('mails');
    return [];
  });
  procedures.set('report_worker_run', ({ p_problem }) => {
    problem = p_problem;
  });
  const answer = await served.post('deliver-events', {}, { authorization: `Bearer ${CRON_SECRET}` });
  expect(answer.status).toBe(200);
  return { called, problem };
}

it('runs every job, also after one without an answer', async () => {
  expect(await run(['b', 'd'])).toEqual({ called: ['a', 'b', 'c', 'd', 'e', 'mails'], problem: 'No answer: b, d' });
});

it('stops after two in a row, because then the database does not answer', async () => {
  expect(await run(['b', 'c', 'd', 'e'])).toEqual({ called: ['a', 'b', 'c', 'mails'], problem: 'No answer: b, c' });
});

it('runs them, and mails, also while due reviews cannot be settled', async () => {
  expect(await run(['settle_due_reviews'])).toEqual({
    called: ['a', 'b', 'c', 'd', 'e', 'mails'],
    problem: 'No answer: settle_due_reviews',
  });
});
