import { setTimeout as wait } from 'node:timers/promises';

const DAY_MS = 86_400_000;

/**
 * For a test that compares days and takes up to `seconds`: resolves at once, or when the next day (UTC) has begun if this one has less time
 * left than that.
 */
export async function withinOneDay(seconds: number): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < seconds * 1000) await wait(leftMs);
}
