import { gzipSync } from 'node:zlib';
import type { APIRequestContext } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/**
 * Bytes after gzip that a screen loads before it shows: the frame, its page, and the header's corner for signed-in users. The stack's
 * addresses and keys, which differ with each run, are in the scripts and change their size by some bytes.
 */
const SCREENS = [
  { name: 'home', page: /^home-page-/, budget: 161_150 },
  { name: 'hub', page: /^hub-page-/, budget: 181_200 },
  { name: 'quest', page: /^quest-page-/, budget: 192_800 },
  {
    name: 'dashboard of a member',
    page: /^dashboard-page-/,
    says: 'Your next step',
    isSignedIn: true,
    budget: 188_400,
  },
  {
    name: 'dashboard of a project',
    page: /^dashboard-page-/,
    says: 'Your first quest',
    isSignedIn: true,
    budget: 192_400,
  },
];
/** Bytes after gzip of any single chunk that comes with a route, not with the app. */
const CHUNK = 60_000;
/**
 * Number of files of the first public route, and of the app, and how many may be below a kilobyte: each costs a request, and is compressed
 * separately.
 */
const FIRST_ROUTE_FILES = 13;
const FILES = 160;
const CRUMBS = 25;
const KILOBYTE = 1000;
/** What the code of the schema library, the identity provider, live updates and forms contains. */
const ON_DEMAND = ['ZodMini', 'clerk-js', 'phx_join', 'shouldUseNativeValidation'];

const IMPORTED = /(?:\bfrom|\bimport)\s*["']\.\/([\w-]+\.js)["']/g;
const MENTIONED = /["'](?:\.\/|assets\/)([\w-]+\.js)["']/g;

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].flatMap(([, file]) => file ?? []);

/** Texts of the given chunks and everything they import, by file name. */
async function chunks(request: APIRequestContext, files: string[], pattern: RegExp): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (found.has(file)) continue;
    const text = await (await request.get(`/assets/${file}`)).text();
    found.set(file, text);
    waiting.push(...matches(text, pattern));
  }
  return found;
}

/** The app's entry, and all of its chunks. */
async function built(request: APIRequestContext): Promise<{ entry: string; all: Map<string, string> }> {
  const html = await (await request.get('/')).text();
  const [, entry] = /<script[^>]*src="\/assets\/(index-[\w-]+\.js)"/.exec(html) ?? [];
  if (!entry) throw new Error('the page names no entry script');
  return { entry, all: await chunks(request, [entry], MENTIONED) };
}

function chunkOf(all: Map<string, string>, name: RegExp, says = ''): string {
  const [found, ...others] = [...all].filter(([file, text]) => name.test(file) && text.includes(says));
  if (!found || others.length > 0) throw new Error(`no chunk, or several, of ${name} with “${says}”`);
  return found[0];
}

interface Trace {
  traceEvents: { name: string; args: { elementCount?: number } }[];
}

const gzipped = (text: string) => gzipSync(text).length;

for (const { name, page, says, isSignedIn = false, budget } of SCREENS) {
  test(`the scripts of the ${name} stay within their budget`, async ({ request }) => {
    const { entry, all } = await built(request);
    const own = [entry, chunkOf(all, page, says), ...(isSignedIn ? [chunkOf(all, /^member-corner-/)] : [])];
    const loaded = await chunks(request, own, IMPORTED);
    const sizes = [...loaded].map(([file, text]) => [file, gzipped(text)] as const);
    const sum = sizes.reduce((total, [, size]) => total + size, 0);
    expect(sum, JSON.stringify(sizes.toSorted((a, b) => b[1] - a[1]).slice(0, 12))).toBeLessThanOrEqual(budget);
    for (const mark of ON_DEMAND) {
      const files = [...all].filter(([, text]) => text.includes(mark)).map(([file]) => file);
      expect(files, mark).not.toEqual([]);
      expect(
        files.filter((file) => loaded.has(file)),
        mark,
      ).toEqual([]);
    }
    if (name === 'home') expect(loaded.size).toBeLessThanOrEqual(FIRST_ROUTE_FILES);
  });
}

/** Elements whose style may change when a menu opens: the menu's own and a few around it. */
const RESTYLED = 150;

test("opening the menu over the hub's cards does not restyle the page below it", async ({ page, browser }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/browse');
  await expect(page.getByRole('link', { name: 'View Details' }).first()).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeAttached();
  // Who is signed in is known: until then the cards' buttons are disabled.
  await expect(page.getByRole('link', { name: 'Start Earning Now' })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  expect(await page.locator('#root *').count()).toBeGreaterThan(3 * RESTYLED);
  // The last cards are in the page, but perhaps not laid out yet.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  const trace: Trace = JSON.parse((await browser.stopTracing()).toString());
  const restyled = trace.traceEvents
    .filter(({ name }) => name === 'UpdateLayoutTree')
    .map(({ args }) => args.elementCount ?? 0);
  expect(Math.max(...restyled)).toBeGreaterThan(10);
  expect(Math.max(...restyled)).toBeLessThan(RESTYLED);
});

test('a public page preloads the fonts that its style sheet names, and no others', async ({ request }) => {
  const html = await (await request.get('/')).text();
  const [sheet = ''] = matches(html, /<link rel="stylesheet"[^>]* href="([^"]+)"/g);
  const named = matches(await (await request.get(sheet)).text(), /url\(([^)]+\.woff2)\)/g);
  expect(named.length).toBeGreaterThan(0);
  expect(matches(html, /<link rel="preload" as="font"[^>]* href="([^"]+)"/g).toSorted()).toEqual(named.toSorted());
});

test('no chunk is large, and few are tiny', async ({ request }) => {
  const { entry, all } = await built(request);
  expect(all.size).toBeGreaterThan(30);
  expect(all.size).toBeLessThanOrEqual(FILES);
  const sizes = [...all].map(([file, text]) => ({ file, size: gzipped(text) }));
  const app = await chunks(request, [entry], IMPORTED);
  expect(sizes.filter(({ file, size }) => !app.has(file) && size > CHUNK)).toEqual([]);
  const crumbs = sizes.filter(({ file }) => (all.get(file)?.length ?? 0) < KILOBYTE);
  expect(crumbs.length, JSON.stringify(crumbs)).toBeLessThanOrEqual(CRUMBS);
});
