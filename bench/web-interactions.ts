import type { BrowserContext, Page } from '@playwright/test';
import { median } from './pgbench.ts';

/** How much slower than this machine's the processor of a phone is taken to be. */
const SLOWDOWN = 4;

interface Interaction {
  path: string;
  /** A browser of whoever it is about. */
  newContext: () => Promise<BrowserContext>;
  /** Waits until the page is whole; not measured. */
  ready: (page: Page) => Promise<void>;
  /** What somebody does, every press of it measured. */
  act: (page: Page) => Promise<void>;
}

/** Milliseconds from a press to the next paint: of each page the longest and the median press, and of those the medians of so many pages. */
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
  // Entries come after the paint that they tell of.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  const found = await page.evaluate(() => window.takeInteractions());
  await context.close();
  if (found.length === 0) throw new Error(`Nothing was measured on ${path}.`);
  return found;
}

declare global {
  interface Window {
    /** Durations of the interactions since it was last called, in milliseconds. */
    takeInteractions: () => number[];
  }
}

/** Runs in the page. Events of one press have one id, and the longest of them is the interaction. */
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
