/**
 * The outbox's worker: does what domain events ask for, each at least once and each mail once. Calls may overlap, because
 * the database leases each event to one of them.
 * Answers `{ ok: true, mailed, skipped, failed }`: numbers of events.
 */
import { log } from '../_shared/log.ts';
import { type DeliveryConfig, deliver, type Outcome } from '../_shared/outbox/deliver.ts';
import { claimEvents } from '../_shared/outbox/outbox.ts';
import { serveWorker } from '../_shared/worker.ts';
import { deliveryConfig } from './config.ts';

/** No new events are claimed after this time: the platform ends functions after 150 s. */
const CLAIMING_MS = 40_000;

serveWorker({ name: 'deliver-events', config: deliveryConfig, run: deliverEvents });

async function deliverEvents(config: DeliveryConfig) {
  const deadline = performance.now() + CLAIMING_MS;
  const counts: Record<Outcome, number> = { mailed: 0, skipped: 0, failed: 0 };
  let events = await claimEvents(config);
  while (events.length > 0) {
    // One after another: the mail provider takes only a few mails a second.
    for (const event of events) counts[await deliver(event, config)] += 1;
    events = performance.now() < deadline ? await claimEvents(config) : [];
  }
  if (counts.mailed + counts.failed > 0) log('info', 'outbox', counts);
  return counts;
}
