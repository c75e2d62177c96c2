import type { Locator, Page } from '@playwright/test';
import { expect } from '../fixtures.ts';

const JUMP_MS = 3000;
const STEP_MS = 250;
/** How long a step may take to become visible. */
const GLANCE_MS = 250;

/** Stops the page's clock; from now on time passes only through `stepUntil` and `page.clock.runFor`. */
export async function stopClock(page: Page): Promise<void> {
  // It can only be stopped at a future moment.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + JUMP_MS);
}

/**
 * Advances time in small steps until this is visible, so that what shows for a few seconds is not missed on a busy
 * machine.
 */
export async function stepUntil(page: Page, seen: Locator, state: 'visible' | 'hidden' = 'visible'): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(STEP_MS);
    await expect(seen).toBeVisible({ visible: state === 'visible', timeout: GLANCE_MS });
  }).toPass({ intervals: [0] });
  // What has just appeared may start a timer in an effect, which React runs in a later task: time that passes before would not count.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      }),
  );
}
