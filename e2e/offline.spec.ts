import type { APIRequestContext, Page } from '@playwright/test';
import { expect, signUp, test } from './fixtures.ts';
import { cachedPaths, entryOf, workerReady } from './support/service-worker.ts';

test.use({
  serviceWorkers: 'allow',
  expectedErrors: [
    /Failed to load resource|net::ERR|CORS policy|PageLoadError|dynamically imported|Failed to fetch|ClerkJS/,
  ],
});

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
  // Every browser context of a test counts as incognito.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
}

/**
 * Chromium 150 forgets to tell a new document that it emulates being offline when a service worker answers with it. The requests fail all
 * the same. Holds until the session is detached.
 */
async function tellOffline(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const none = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', { offline: true, ...none });
  return devtools;
}

test("BEY-12 the app can be installed, opens offline, says so, stores nobody's data, and recovers automatically", async ({
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

  const stores = Object.values(await cachedPaths(page));
  expect(stores).toHaveLength(1);
  expect(stores[0]?.filter((path) => !path.startsWith('/assets/'))).toEqual([]);
  expect(stores[0]).toContain(await entryOf(page));

  await context.setOffline(true);
  await page.goto('/community/quests');
  const told = await tellOffline(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are offline');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: /Questboard/ })).toBeVisible();
  await expect(page).toHaveURL('/community/quests');

  await context.setOffline(false);
  await told.detach();
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('My quests');
  await expect(page.getByRole('banner').getByRole('button', { name: /Your menu/ })).toBeVisible();
  await expect(notice).toBeHidden();

  await test.step('going offline is announced on the open page', async () => {
    await context.setOffline(true);
    await expect(notice).toBeVisible();
    await expect(title).toHaveText('My quests');
    await context.setOffline(false);
    await expect(notice).toBeHidden();
  });

  await test.step('its name, start URL and icons are there', () => expectInstallable(page, request));
});
