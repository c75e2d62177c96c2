import type { APIRequestContext, Page } from '@playwright/test';
import { expect, signUp, test } from './fixtures.ts';
import { buildSite } from './support/site.ts';

test.use({
  serviceWorkers: 'allow',
  expectedErrors: [
    /Failed to load resource|net::ERR|CORS policy|PageLoadError|dynamically imported|Failed to fetch|ClerkJS/,
  ],
});

/** The worker has kept what it needs and answers the next page. */
const workerReady = (page: Page) =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === 'activated') return;
    await new Promise((resolve) => active?.addEventListener('statechange', resolve));
  });

/** Addresses of everything that is kept, by the name of the store. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const stores = await Promise.all(
      names.map(async (name) => {
        const requests = await (await caches.open(name)).keys();
        return [name, requests.map(({ url }) => new URL(url).pathname)] as const;
      }),
    );
    return Object.fromEntries(stores);
  });

const entryOf = (page: Page) =>
  page
    .locator('script[type="module"][src^="/assets/index-"]')
    .first()
    .evaluate((script) => new URL((script as HTMLScriptElement).src).pathname);

async function expectInstallable(page: Page, request: APIRequestContext) {
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = await (await request.get(href ?? '')).json();
  expect(manifest).toMatchObject({ name: 'Questboard', start_url: '/', display: 'standalone' });
  const sizes = await page.evaluate(async (icons: { src: string; sizes: string }[]) => {
    const load = async ({ src, sizes }: { src: string; sizes: string }) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      return [sizes, `${image.naturalWidth}x${image.naturalHeight}`] as const;
    };
    return Promise.all(icons.filter((icon) => icon.sizes !== 'any').map(load));
  }, manifest.icons);
  expect(sizes.length).toBeGreaterThan(2);
  for (const [said, real] of sizes) expect(real).toBe(said);
  const devtools = await page.context().newCDPSession(page);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
}

test('BEY-12 the app can be installed, opens without a network, says so, keeps nobody’s data, and goes on by itself', async ({
  page,
  context,
  request,
}) => {
  await signUp(context, 'traveller');
  const notice = page.getByText('You are offline. What you see may be out of date.');
  await page.goto('/rewards');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await workerReady(page);
  // Once more, now that the worker sees every request.
  await page.reload();
  await expect(page.getByRole('banner').getByRole('button', { name: /Your menu/ })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);

  const stores = Object.values(await kept(page));
  expect(stores).toHaveLength(1);
  expect(stores[0]?.filter((path) => !path.startsWith('/assets/'))).toEqual([]);
  expect(stores[0]).toContain(await entryOf(page));

  await context.setOffline(true);
  await page.goto('/community/quests');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are offline');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: /Questboard/ })).toBeVisible();
  await expect(page).toHaveURL('/community/quests');

  await context.setOffline(false);
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('My quests');
  await expect(page.getByRole('banner').getByRole('button', { name: /Your menu/ })).toBeVisible();
  await expect(notice).toBeHidden();

  await test.step('losing the network is said over the page that is open', async () => {
    await context.setOffline(true);
    await expect(notice).toBeVisible();
    await expect(title).toHaveText('My quests');
    await context.setOffline(false);
    await expect(notice).toBeHidden();
  });

  await test.step('its name, its start and its icons are there', () => expectInstallable(page, request));
});

/** Variables of a release without an identity provider, whose scripts are not those of another. */
const release = (name: string) => ({
  VITE_CLERK_PUBLISHABLE_KEY: '',
  VITE_CLERK_PROXY_URL: '',
  VITE_LEGAL_NAME: name,
});

test('BEY-12 a new release is there with the next page, and the worker of the former one goes with its last page', async ({
  page,
  context,
}) => {
  const former = await buildSite(release('Former Ltd'), 0);
  const port = Number(new URL(former.url).port);
  await page.goto(`${former.url}/terms`);
  await workerReady(page);
  const formerEntry = await entryOf(page);
  await former.stop();

  const next = await buildSite(release('Next Ltd'), port);
  await page.goto(`${next.url}/terms`);
  const nextEntry = await entryOf(page);
  expect(nextEntry).not.toBe(formerEntry);
  // Both are kept as long as a page might belong to the former one.
  await expect.poll(async () => Object.values(await kept(page)).flat()).toContain(nextEntry);
  expect(Object.values(await kept(page)).flat()).toContain(formerEntry);

  await page.close();
  // The next page that finds no other one open belongs to the new worker alone.
  const keptByNextPage = async () => {
    const each = await context.newPage();
    await each.goto(`${next.url}/terms`);
    const files = Object.values(await kept(each)).flat();
    await each.close();
    return files;
  };
  await expect.poll(keptByNextPage).not.toContain(formerEntry);
  expect(await keptByNextPage()).toContain(nextEntry);
  await next.stop();
  // The host is gone altogether.
  const later = await context.newPage();
  await later.goto(`${next.url}/pricing`);
  expect(await entryOf(later)).toBe(nextEntry);
  await expect(later.getByRole('banner')).toBeVisible();
});
