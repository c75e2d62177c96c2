import type { BrowserContext, Page } from '@playwright/test';
import { median } from './pgbench.ts';

/** Assumed CPU slowdown of a phone compared with this machine. */
const SLOWDOWN = 4;

interface Interaction {
  path: string;
  /** A browser of the given user. */
  newContext: () => Promise<BrowserContext>;
  /** Waits until the page is complete; not measured. */
  ready: (page: Page) => Promise<void>;
  /** The user's actions, every press of them measured. */
  act: (page: Page) => Promise<void>;
}

/**
 * Milliseconds from a press to the next paint: for each page the longest and the median press, and of those the medians over this many
 * pages.
 */
export async function measureInteractions<Name extends string>(
  origin: string,
  runs: number,
  interactions: Record<Name, Interaction>,
) {
  const results: Partial<Record<Name, { presses: number; longestMs: number; medianMs: number }>> = {};
  for (const [name, interaction] of Object.entries(interactions) as [Name, Interaction][]) {
    const rounds: number[][] = [];
    for (let round = 0; round < runs; round += 1) rounds.push(await durations(origin, interaction));
    results[name] = {
      presses: median(rounds.map(({ length }) => length)),
      longestMs: median(rounds.map((each) => Math.max(...each))),
      medianMs: median(rounds.map(median)),
    };
  }
  return results;
}

async function durations(origin: string, { path, newContext, ready, act }: Interaction): Promise<number[]> {
  const context = await newContext();
  const page = await context.newPage();
  await page.addInitScript(watchEvents);
  await page.goto(`${origin}${path}`);
  await ready(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.evaluate(() => window.takeInteractions());
  await act(page);
  // Entries are queued after the paint that they measure.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  const found = await page.evaluate(() => window.takeInteractions());
  await context.close();
  if (found.length === 0) throw new Error(`Nothing was measured on ${path}.`);
  return found;
}

declare global {
  interface Window {
    /** Durations of the interactions since the last call, in milliseconds. */
    takeInteractions: () => number[];
  }
}

/** Runs in the page. The events of one press share an id, and the longest of them is the interaction. */
function watchEvents(): void {
  const longest = new Map<number, number>();
  const note = (entries: PerformanceEntryList) => {
    for (const entry of entries as PerformanceEventTiming[]) {
      const { interactionId, duration } = entry;
      if (interactionId) longest.set(interactionId, Math.max(longest.get(interactionId) ?? 0, duration));
    }
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  const options = { type: 'event', buffered: true, durationThreshold: 16 };
  observer.observe(options);
  window.takeInteractions = () => {
    note(observer.takeRecords());
    const found = [...longest.values()];
    longest.clear();
    return found;
  };
}
