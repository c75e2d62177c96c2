/**
 * The outbox worker: settles due reviews, runs the database's periodic jobs, because every installation schedules this worker, and delivers
 * domain events, each at least once and each mail once. Runs may overlap, because the database leases each event to one of them. Answers
 * `{ ok: true, mailed, skipped, failed, deferred }`: numbers of events.
 */
import { reasonOf } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';
import { type DeliveryConfig, deliver, postpone } from '../_shared/outbox/deliver.ts';
import { claimEvents } from '../_shared/outbox/outbox.ts';
import { settleReviews } from '../_shared/outbox/reviews.ts';
import { serveWorker } from '../_shared/worker.ts';
import { deliveryConfig } from './config.ts';
import { runPeriodicJobs } from './periodic-jobs.ts';

/** No new events are claimed after this time: the platform ends functions after 150 s. */
const CLAIMING_MS = 40_000;
/** If the provider asks for a longer delay, this run ends; the next one starts in a minute. */
const PATIENCE_SECONDS = 5;

serveWorker({ name: 'deliver-events', config: deliveryConfig, run: deliverEvents });

async function deliverEvents(config: DeliveryConfig) {
  const deadline = performance.now() + CLAIMING_MS;
  // First, so that their notifications are mailed in the same run, and so that mail problems do not delay payments.
  const unsettled = await settleAllReviews(config, deadline);
  const unanswered = [...unsettled, ...(await runPeriodicJobs(config))];
  return {
    ...(await deliverWaiting(config, deadline)),
    problem: unanswered.length > 0 ? `No answer: ${unanswered.join(', ')}` : null,
  };
}

/** Resolves to what was not answered: like a periodic job, it must stop neither the others nor the mails. */
async function settleAllReviews(config: DeliveryConfig, deadline: number): Promise<string[]> {
  try {
    while ((await settleReviews(config)) && performance.now() < deadline);
    return [];
  } catch (error) {
    log('error', 'job_unanswered', { job: 'settle_due_reviews', reason: reasonOf(error) });
    return ['settle_due_reviews'];
  }
}

async function deliverWaiting(config: DeliveryConfig, deadline: number) {
  const counts = { mailed: 0, skipped: 0, failed: 0, deferred: 0 };
  let events = await claimEvents(config);
  while (events.length > 0) {
    // Sequentially, because the mail provider accepts only a few mails per second.
    for (const [index, event] of events.entries()) {
      const { state, pauseSeconds } = await deliver(event, config);
      counts[state] += 1;
      if (pauseSeconds > PATIENCE_SECONDS) {
        const untried = events.slice(index + 1);
        for (const other of untried) await postpone(other, config);
        log('warn', 'outbox_stopped', { ...counts, pauseSeconds });
        return { ...counts, deferred: counts.deferred + untried.length };
      }
      await new Promise((resolve) => setTimeout(resolve, pauseSeconds * 1000));
    }
    events = performance.now() < deadline ? await claimEvents(config) : [];
  }
  if (counts.mailed + counts.failed + counts.deferred > 0) log('info', 'outbox', counts);
  return counts;
}
