/**
 * Hourly self-check that mails problems to the owner, the same ones once a day. `GET /self-check` is for an external
 * monitor: 200 when the database responds, every worker runs and the last check found nothing, 503 otherwise.
 */
import { z } from 'zod';
import { lazyConfig, mailVariables } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { reasonOf } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';
import { notificationMessage } from '../_shared/mail/messages.ts';
import { sendMail } from '../_shared/mail/send-mail.ts';
import { serveWorker, workerVariables } from '../_shared/worker.ts';

/** Recounting every figure of a large database takes longer than other calls; the platform ends it after 60 s. */
const RECOUNT_TIMEOUT_MS = 60_000;
/** Cache time of the health check, because anybody can call it. */
const HEALTH_AGE_MS = 10_000;

const variables = workerVariables.extend(mailVariables.shape);
type Config = z.infer<typeof variables>;

const checked = z.object({ owner_email: z.string().nullable(), problems: z.array(z.string()) });
const differences = z.array(z.object({ problem: z.string(), subject_type: z.string(), subject_id: z.string() }));
const health = z.object({ late_workers: z.array(z.string()), has_problems: z.boolean() });

serveWorker({ name: 'self-check', config: lazyConfig(variables), run: check, get: answerHealth });

async function check(config: Config) {
  const { owner_email: owner, problems: others } = await callProcedure(config, 'run_self_check', {}, checked);
  const problems = [...(await recount(config)), ...others];
  if (problems.length === 0) return { problems };
  log('error', 'self_check', { problems: problems.join(' | ') });
  if (owner) await mailOwner(config, owner, problems);
  return { problems, problem: problems.join(' | ') };
}

/** A recount that fails is a finding itself, so that the owner hears of it. */
async function recount(config: Config): Promise<string[]> {
  const patient = { ...config, PROVIDER_TIMEOUT_MS: RECOUNT_TIMEOUT_MS };
  try {
    const found = await callProcedure(patient, 'reconcile_ledger', {}, differences);
    const [first] = found;
    if (!first) return [];
    const { problem, subject_type, subject_id } = first;
    return [
      `Ledger: ${found.length} figures differ from their recount, the first is ${problem} of ${subject_type} ${subject_id}`,
    ];
  } catch (error) {
    return [`Ledger not recounted: ${reasonOf(error)}`];
  }
}

/** If mail itself is broken, the health check and the log still show it. */
async function mailOwner(config: Config, owner: string, problems: string[]): Promise<void> {
  const message = [...problems, `See docs/runbooks.md for what to do. Admin settings: ${config.SITE_URL}/admin`].join(
    '\n\n',
  );
  const day = new Date().toISOString().slice(0, 10);
  // Ignores what follows the kind: figures change between runs, and an error's text may have several lines, which no header can.
  const kinds = problems.map((problem) => problem.replace(/:.*/s, '')).join();
  try {
    await sendMail(config, {
      to: owner,
      message: notificationMessage(
        { subject: 'Questboard needs you', message },
        { siteUrl: config.SITE_URL, unsubscribeUrl: null },
      ),
      idempotencyKey: `self-check/${day}/${kinds}`,
      oneClickUrl: null,
    });
  } catch (error) {
    log('error', 'self_check_not_mailed', { reason: reasonOf(error) });
  }
}

let known: { at: number; health: ReturnType<typeof readHealth> } | undefined;

/** Calls that arrive before the first answer wait for it, so that a flood does not ask a slow database once for each. */
async function answerHealth(_request: Request, config: Config): Promise<Response> {
  if (!known || Date.now() - known.at > HEALTH_AGE_MS) known = { at: Date.now(), health: readHealth(config) };
  const found = await known.health;
  return Response.json(found, { status: found.ok ? 200 : 503 });
}

async function readHealth(config: Config) {
  try {
    const found = await callProcedure(config, 'get_health', {}, health);
    const ok = found.late_workers.length === 0 && !found.has_problems;
    return { ok, database: true, lateWorkers: found.late_workers, hasProblems: found.has_problems };
  } catch (error) {
    log('error', 'health', { reason: reasonOf(error) });
    return { ok: false, database: false, lateWorkers: [], hasProblems: false };
  }
}
