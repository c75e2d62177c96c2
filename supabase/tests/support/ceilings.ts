import { setTimeout as sleep } from 'node:timers/promises';

const MINUTE_MS = 60_000;
/** Longer than such a test takes on a busy machine. */
const ENOUGH_MS = 10_000;

/** Ceilings count in fixed windows of a minute (private.take_ceiling): waits for the next one if this one is nearly over. */
export async function withinOneMinute(): Promise<void> {
  const left = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (left < ENOUGH_MS) await sleep(left + 10);
}
