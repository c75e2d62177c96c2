import { asService, sql } from '../../../local/testing/clients.ts';
import { unwrap } from './factories.ts';

/** Runs one of the database's periodic jobs. A failure is recorded, and not thrown. */
export const runPeriodicJob = (job: string) => unwrap(asService().rpc('run_periodic_job', { p_job: job }));

/** Runs the database's periodic jobs, like the worker that delivers events; throws when one of them fails. */
export async function runPeriodicJobs(): Promise<void> {
  for (const job of await unwrap(asService().rpc('list_periodic_jobs'))) await runPeriodicJob(job);
  const { rows } = await sql().query('select job, last_error from private.failed_jobs');
  if (rows.length > 0) throw new Error(`Failed jobs: ${JSON.stringify(rows)}`);
}

/** Everything that the worker does before it claims events. */
export async function tick(): Promise<void> {
  await unwrap(asService().rpc('settle_due_reviews'));
  await runPeriodicJobs();
}
