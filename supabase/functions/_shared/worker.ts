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

/** Configuration of every worker. */
export const workerVariables = databaseVariables.extend(siteVariables.shape).extend(scheduleVariables.shape);

export interface WorkerOptions<Config> {
  name: string;
  config: () => Config;
  /** Does the work; the result is returned as JSON with `ok: true`. A `problem` is recorded as a failed run. */
  run: (config: Config) => Promise<Record<string, unknown> & { problem?: string | null }>;
  /** Handles GET, as in `serveFunction`. */
  get?: (request: Request, config: Config) => Promise<Response>;
}

/**
 * Serves a scheduled function (docs/deploy.md), authenticated by CRON_SECRET as bearer token. The database records the
 * last run and its result, so that the doctor and the system status notice a worker that has stopped.
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
        // Without a database nothing can be reported: the last success simply ages.
        await report(reasonOf(error)).catch(() => log('error', 'worker_unreported', { worker: name }));
        throw error;
      }
    },
  });
}
