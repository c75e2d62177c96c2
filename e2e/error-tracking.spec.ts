import { existsSync, globSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { type Ingest, startIngest } from '../supabase/functions/_testing/ingest.ts';
import { expect, test } from './fixtures.ts';
import { buildSite, type Site } from './support/site.ts';

/** A build that reports its errors to a stand-in for Sentry, served under its own policy. */
let ingest: Ingest;
let site: Site;

// One build for all tests of the file.
test.describe.configure({ mode: 'default' });
// The browser, React and the router each note what was thrown, and what was refused.
test.use({ expectedErrors: [/./] });

test.beforeAll(async () => {
  ingest = await startIngest();
  // Without an identity provider: nobody has to wait for it on a port that it does not know.
  const noIdentity = { VITE_CLERK_PUBLISHABLE_KEY: '', VITE_CLERK_PROXY_URL: '' };
  site = await buildSite({ ...noIdentity, VITE_SENTRY_DSN: ingest.dsn });
});
test.afterAll(async () => {
  await Promise.all([site?.stop(), ingest?.close()]);
});
test.beforeEach(() => {
  ingest.reports.length = 0;
});

const scripts = (page: Page) => {
  const loaded: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && loaded.push(request.url()));
  return loaded;
};

test('ERR-05 TRUST-28 a page that breaks is reported under the reference that it shows, without anything of the person', async ({
  page,
}) => {
  const loaded = scripts(page);
  await page.route(/rpc\/list_published_quests/, (route) => route.fulfill({ json: [null, 'mina@example.com'] }));
  await page.goto(`${site.url}/browse?search=mina@example.com`);
  await expect(page.getByRole('heading', { level: 1, name: 'Oops! Something went wrong.' })).toBeVisible();
  const [, reference] = /Reference (\w{8})/.exec((await page.getByRole('main').textContent()) ?? '') ?? [];
  expect(reference).toBeDefined();

  await expect.poll(() => ingest.reports.length).toBe(1);
  const [{ text = '', event = {} } = {}] = ingest.reports;
  expect(event).toMatchObject({
    release: 'questboard@1.0.0',
    tags: { reference, route: '/browse' },
    exception: { values: [expect.objectContaining({ type: 'TypeError', stacktrace: expect.anything() })] },
  });
  expect(text).not.toMatch(/mina|search=|user_|breadcrumbs|cookie/i);
  expect(text).toContain('"infer_ip":"never"');
  // A preload and the import, or the service worker on the page's behalf: one file in any case.
  expect(new Set(loaded.filter((url) => url.includes('/sentry-'))).size).toBe(1);
});

test('TRUST-24 nothing of the tracker is loaded while nothing breaks; refusals and lost connections are not reported, and what the policy refuses is counted', async ({
  page,
}) => {
  const loaded = scripts(page);
  await page.route(/rpc\/list_published_quests/, (route) =>
    route.fulfill({ status: 403, json: { code: 'PT403', hint: 'FORBIDDEN', message: 'Forbidden' } }),
  );
  await page.route(/rpc\/get_site_stats/, (route) => route.abort());
  await page.goto(`${site.url}/browse`);
  await expect(page.getByRole('alert').first()).toBeVisible();
  expect(loaded.length).toBeGreaterThan(0);
  const origin = `https://${crypto.randomUUID()}.example`;
  await page.evaluate((url) => fetch(url).catch(() => undefined), `${origin}/v1?email=mina@example.com`);
  const kept = async () =>
    (await sql().query('select directive, page from private.csp_reports where blocked = $1', [origin])).rows;
  await expect.poll(kept).toEqual([{ directive: 'connect-src', page: '/browse' }]);
  expect(loaded.filter((url) => url.includes('/sentry-'))).toEqual([]);
  expect(ingest.reports).toEqual([]);
});

test('a failure of the server is reported with the reference that its message shows, and so is a promise that nobody awaits', async ({
  page,
}) => {
  await page.route(/rpc\/list_published_quests/, (route) =>
    route.fulfill({
      status: 500,
      headers: {
        'sb-request-id': '1a2b3c4d-0000-4000-8000-000000000000',
        'access-control-expose-headers': 'sb-request-id',
        'access-control-allow-origin': '*',
      },
      json: { code: 'XX000', message: 'relation "mina" is broken' },
    }),
  );
  await page.goto(`${site.url}/browse`);
  await expect(page.getByRole('alert').first()).toContainText('Reference 1a2b3c4d');
  await expect
    .poll(() => ingest.reports.map(({ event }) => event.tags))
    .toContainEqual({
      code: 'UNKNOWN',
      status: '500',
      reference: '1a2b3c4d',
      route: '/browse',
    });
  await page.evaluate(() => void Promise.reject(new Error('nobody awaits mina@example.com')));
  await expect.poll(() => JSON.stringify(ingest.reports)).toContain('nobody awaits [email]');
  expect(JSON.stringify(ingest.reports)).not.toContain('mina');
});

test('source maps are made beside the site and never in it', () => {
  const maps = globSync('*.map', { cwd: `${site.directory}.maps/assets` });
  expect(maps.some((name) => name.startsWith('sentry-'))).toBe(true);
  expect(globSync('**/*.map', { cwd: site.directory })).toEqual([]);
  const [script = ''] = globSync('assets/index-*.js', { cwd: site.directory });
  expect(readFileSync(`${site.directory}/${script}`, 'utf8')).not.toContain('sourceMappingURL');
  expect(existsSync(`${site.directory}.maps/${script}`)).toBe(true);
});
