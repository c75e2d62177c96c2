import { existsSync, globSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { type Ingest, startIngest } from '../supabase/functions/_testing/ingest.ts';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { follow } from './support/screens.ts';
import { cachedPaths, entryOf, workerReady } from './support/service-worker.ts';
import { buildSite, type Site } from './support/site.ts';

/**
 * A build without an identity provider, with a third-party analytics script and a fake Sentry, served on its own port under its own policy.
 */
let site: Site;
let ingest: Ingest;
const noIdentity = { VITE_CLERK_PUBLISHABLE_KEY: '', VITE_CLERK_PROXY_URL: '' };
const src = 'https://statistics.example/script.js';
const script = (page: Page) => page.locator('script[data-analytics]');

// One build for all tests of the file.
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  ingest = await startIngest();
  site = await buildSite({ ...noIdentity, VITE_ANALYTICS_SRC: src, VITE_SENTRY_DSN: ingest.dsn });
});

test.afterAll(async () => {
  await Promise.all([site?.stop(), ingest?.close()]);
});

test('ROUTE-17 ROUTE-18 without sign-in the public pages work, every other path shows the 404 page, and /auth/* says what is missing', async ({
  page,
}) => {
  const owner = await newOwner();
  const { campaign } = await newQuest(owner);
  const pages = [
    ['/', /Help new products grow/],
    ['/browse', 'Explore the board'],
    [`/browse/quest/${campaign.id}`, campaign.title],
    ['/rewards', 'Available Rewards'],
    ['/pricing', 'Pricing - Coming Soon'],
  ] as const;
  for (const [path, name] of pages) {
    await page.goto(site.url + path);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: /Sign In|Get Started/ })).toHaveCount(0);
  }
  await expectAccessible(page);

  const title = page.getByRole('heading', { level: 1 });
  for (const path of [
    '/community',
    '/startup',
    '/admin',
    `/quest/${campaign.id}`,
    `/community/project/${owner.startup.id}`,
    '/settings',
    '/onboarding',
  ])
    await test.step(path, () => follow(page, [path, 'Page Not Found']));
  for (const path of ['/auth/signin', '/auth/signup', '/auth/anything/else']) {
    await test.step(path, async () => {
      await follow(page, [path, 'Authentication Not Configured']);
      await expect(page.getByText(/browsing still works/i)).toBeVisible();
    });
  }
  await page.getByRole('link', { name: 'Browse Quests' }).click();
  await expect(title).toHaveText('Explore the board');
  await page.goto(`${site.url}/settings`);
  await expect(title).toHaveText('Page Not Found');
});

test('ANA-01 a refusal keeps the script out, even after a reload; after consent it is loaded, now and on every start, and receives the events', async ({
  page,
  newBrowser,
}) => {
  let loads = 0;
  const pricing = async (visitor: Page) => {
    await visitor.route(src, (route) => {
      loads += 1;
      return route.fulfill({ contentType: 'text/javascript', body: 'window.statisticsRan = true;' });
    });
    await visitor.goto(`${site.url}/pricing`);
    const question = visitor.getByRole('region', { name: 'Statistics' });
    await expect(question).toBeVisible();
    await expect(script(visitor)).toHaveCount(0);
    return question;
  };

  await test.step('no', async () => {
    const question = await pricing(page);
    await question.getByRole('button', { name: 'No thanks' }).click();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(question).toHaveCount(0);
    await expect(script(page)).toHaveCount(0);
    expect(loads).toBe(0);
  });

  await test.step('yes', async () => {
    const willing = await (await newBrowser()).newPage();
    const question = await pricing(willing);
    expect(loads).toBe(0);
    await question.getByRole('button', { name: 'Allow' }).click();
    await expect.poll(() => willing.evaluate(() => 'statisticsRan' in window)).toBe(true);
    await expect(question).toBeHidden();

    await willing.reload();
    await expect.poll(() => loads).toBe(2);
    await expect
      .poll(() => willing.evaluate(() => JSON.stringify(Reflect.get(window, 'dataLayer') ?? [])))
      .toContain('page_view');
    await willing.close();
  });
});

test.describe('error tracking', () => {
  // The browser, React and the router each log what was thrown and refused.
  test.use({ expectedErrors: [/./] });

  test.beforeEach(() => {
    ingest.reports.length = 0;
  });

  const scripts = (page: Page) => {
    const loaded: string[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && loaded.push(request.url()));
    return loaded;
  };

  test('ERR-05 TRUST-28 a page that breaks is reported under the reference that it shows, without personal data', async ({
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
    // A preload and the import, or the service worker for the page: one file in any case.
    expect(new Set(loaded.filter((url) => url.includes('/sentry-'))).size).toBe(1);
  });

  test('TRUST-24 the tracker is not loaded while nothing breaks; refusals and lost connections are not reported, and CSP violations are counted', async ({
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

  test('a server failure is reported with the reference in its message, and so is an unhandled rejection', async ({
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

  test('source maps are written beside the site and never into it', () => {
    const maps = globSync('*.map', { cwd: `${site.directory}.maps/assets` });
    expect(maps.some((name) => name.startsWith('sentry-'))).toBe(true);
    expect(globSync('**/*.map', { cwd: site.directory })).toEqual([]);
    const [script = ''] = globSync('assets/index-*.js', { cwd: site.directory });
    expect(readFileSync(`${site.directory}/${script}`, 'utf8')).not.toContain('sourceMappingURL');
    expect(existsSync(`${site.directory}.maps/${script}`)).toBe(true);
  });
});

test.describe('the next release', () => {
  test.use({
    serviceWorkers: 'allow',
    expectedErrors: [/Failed to load resource|net::ERR|PageLoadError|dynamically imported|Failed to fetch/],
  });

  test('BEY-12 a new release is used from the next page on, and the old service worker is replaced once its last page closes', async ({
    page,
    context,
  }) => {
    await page.goto(`${site.url}/terms`);
    await workerReady(page);
    const formerEntry = await entryOf(page);
    await site.stop();

    const port = Number(new URL(site.url).port);
    const next = await buildSite({ ...noIdentity, VITE_LEGAL_NAME: 'Next Ltd' }, port);
    await page.goto(`${next.url}/terms`);
    const nextEntry = await entryOf(page);
    expect(nextEntry).not.toBe(formerEntry);
    // Both are kept as long as a page might belong to the old one.
    await expect.poll(async () => Object.values(await cachedPaths(page)).flat()).toContain(nextEntry);
    expect(Object.values(await cachedPaths(page)).flat()).toContain(formerEntry);

    // A worker is replaced once it has nothing left to do, and a page that closes while it loads leaves requests to it.
    await page.waitForLoadState('networkidle');
    await page.close();
    // The next page opened while no other is open belongs to the new worker alone.
    const keptByNextPage = async () => {
      const each = await context.newPage();
      await each.goto(`${next.url}/terms`, { waitUntil: 'networkidle' });
      const files = Object.values(await cachedPaths(each)).flat();
      await each.close();
      return files;
    };
    // Less and less often: the new worker takes over in the time without a page, which must be long enough on a busy machine.
    await expect.poll(keptByNextPage, { intervals: [500, 2000, 5000] }).not.toContain(formerEntry);
    expect(await keptByNextPage()).toContain(nextEntry);
    await next.stop();
    // The host is completely offline.
    const later = await context.newPage();
    await later.goto(`${next.url}/pricing`);
    expect(await entryOf(later)).toBe(nextEntry);
    await expect(later.getByRole('banner')).toBeVisible();
  });
});
