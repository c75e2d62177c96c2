import { z } from 'zod';
import { isScheduleCall } from './auth.ts';
import {
  type DatabaseConfig,
  databaseVariables,
  type ScheduleConfig,
  type SiteConfig,
  scheduleVariables,
  siteVariables,
} from './config.ts';
import { callProcedure } from './database.ts';
import { FunctionError, reasonOf } from './errors.ts';
import { log } from './log.ts';
import { serveFunction } from './serve.ts';

/** What every worker is configured with. */
export const workerVariables = databaseVariables.extend(siteVariables.shape).extend(scheduleVariables.shape);

export interface WorkerOptions<Config> {
  name: string;
  config: () => Config;
  /** Does what is due; what it returns is answered as JSON beside `ok: true`. A `problem` is kept as if the run had failed. */
  run: (config: Config) => Promise<Record<string, unknown> & { problem?: string | null }>;
  /** Answers a GET, as in `serveFunction`. */
  get?: (request: Request, config: Config) => Promise<Response>;
}

/**
 * Serves a function that a schedule calls (docs/deploy.md) with CRON_SECRET as bearer. The database keeps when it last ran and how that
 * ended, so that the doctor and the system status notice a worker that is silent.
 */
export function serveWorker<Config extends DatabaseConfig & SiteConfig & ScheduleConfig>({
  name,
  config,
  run,
  get,
}: WorkerOptions<Config>): void {
  serveFunction({
    name,
    config,
    get,
    post: async (request, current) => {
      if (!(await isScheduleCall(request, current))) throw new FunctionError('FORBIDDEN');
      const report = (problem: string | null) =>
        callProcedure(current, 'report_worker_run', { p_worker: name, p_problem: problem }, z.unknown());
      try {
        const { problem = null, ...results } = await run(current);
        await report(problem);
        return Response.json({ ok: true, ...results });
      } catch (error) {
        // Without a database there is nobody to report to: the last success stays as old as it is.
        await report(reasonOf(error)).catch(() => log('error', 'worker_unreported', { worker: name }));
        throw error;
      }
    },
  });
}
