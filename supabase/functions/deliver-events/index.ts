/**
 * The outbox's worker: does what domain events ask for, each at least once and each mail once. A schedule calls it with
 * the secret key (docs/deploy.md); calls may overlap, because the database leases each event to one of them.
 * Answers `{ ok: true, mailed, skipped, failed }`: numbers of events.
 */
import { isServiceCall } from '../_shared/auth.ts';
import { FunctionError } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';
import { type DeliveryConfig, deliver, type Outcome } from '../_shared/outbox/deliver.ts';
import { claimEvents } from '../_shared/outbox/outbox.ts';
import { serveFunction } from '../_shared/serve.ts';
import { deliveryConfig } from './config.ts';

/** No new events are claimed after this time: the platform ends functions after 150 s. */
const CLAIMING_MS = 40_000;

serveFunction({ name: 'deliver-events', config: deliveryConfig, post: deliverEvents });

async function deliverEvents(request: Request, config: DeliveryConfig): Promise<Response> {
  if (!(await isServiceCall(request, config))) throw new FunctionError('FORBIDDEN');
  const deadline = performance.now() + CLAIMING_MS;
  const counts: Record<Outcome, number> = { mailed: 0, skipped: 0, failed: 0 };
  let events = await claimEvents(config);
  while (events.length > 0) {
    // One after another: the mail provider takes only a few mails a second.
    for (const event of events) counts[await deliver(event, config)] += 1;
    events = performance.now() < deadline ? await claimEvents(config) : [];
  }
  if (counts.mailed + counts.failed > 0) log('info', 'outbox', counts);
  return Response.json({ ok: true, ...counts });
}
