import { z } from 'zod';
import type { DatabaseConfig } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { reasonOf } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';

/**
 * Runs the database's periodic jobs, each in a transaction of its own, so that one that hangs does not stop the others. Resolves to the names
 * of those without an answer; the database itself records those that fail.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function runPeriodicJobs(config: DatabaseConfig): Promise<string[]> {
  const jobs = await callProcedure(config, 'list_periodic_jobs', {}, z.array(z.string()));
  const unanswered: string[] = [];
  let isAnswering = true;
  for (const job of jobs) {
    try {
      await callProcedure(config, 'run_periodic_job', { p_job: job }, z.unknown());
      isAnswering = true;
    } catch (error) {
      log('error', 'job_unanswered', { job, reason: reasonOf(error) });
      unanswered.push(job);
      // Two in a row: it is the database that does not answer. Waiting for all jobs would take longer than a function may run.
      if (!isAnswering) break;
      isAnswering = false;
    }
  }
  return unanswered;
}
