import { gzipSync } from 'node:zlib';
import type { APIRequestContext } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Bytes after gzip: what the first public route may load before it shows, and any one chunk of a route. */
const FIRST_ROUTE = 169_000;
const CHUNK = 60_000;
/** Files of the first public route, and of the app; each costs a request, and compresses by itself. */
const FIRST_ROUTE_FILES = 12;
const FILES = 190;

const IMPORTED = /(?:\bfrom|\bimport)\s*["']\.\/([\w-]+\.js)["']/g;
const MENTIONED = /["'](?:\.\/|assets\/)([\w-]+\.js)["']/g;

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].flatMap(([, file]) => file ?? []);

/** Texts of the given chunks and of what they lead to, by file name. */
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

const gzipped = (text: string) => gzipSync(text).length;

test('the first public route and every chunk stay within their budgets', async ({ request }) => {
  const html = await (await request.get('/')).text();
  const [, entry] = /<script[^>]*src="\/assets\/(index-[\w-]+\.js)"/.exec(html) ?? [];
  if (!entry) throw new Error('the page names no entry script');
  const all = await chunks(request, [entry], MENTIONED);
  const home = [...all.keys()].find((file) => file.startsWith('home-page-'));
  if (!home) throw new Error('there is no chunk of the home page');

  const first = await chunks(request, [entry, home], IMPORTED);
  const sizes = [...first].map(([file, text]) => [file, gzipped(text)] as const);
  const sum = sizes.reduce((total, [, size]) => total + size, 0);
  expect(sum, JSON.stringify(sizes.toSorted((a, b) => b[1] - a[1]).slice(0, 12))).toBeLessThanOrEqual(FIRST_ROUTE);
  // The provider's code and the form and schema libraries come after the first paint.
  for (const text of first.values()) expect(text).not.toMatch(/ZodMini|clerk-js|RealtimeClient/);

  expect(first.size).toBeLessThanOrEqual(FIRST_ROUTE_FILES);
  expect(all.size).toBeGreaterThan(30);
  expect(all.size).toBeLessThanOrEqual(FILES);
  const tooLarge = [...all].filter(([file, text]) => file !== entry && gzipped(text) > CHUNK).map(([file]) => file);
  expect(tooLarge).toEqual([]);
});
