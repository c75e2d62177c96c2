import type { Page } from '@playwright/test';

/** The worker has cached its files and controls the next page. */
export const workerReady = (page: Page) =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === 'activated') return;
    await new Promise((resolve) => active?.addEventListener('statechange', resolve));
  });

/** Paths of everything in the caches, by cache name. */
export const cachedPaths = (page: Page) =>
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

/** Path of the script that the page starts with. */
export const entryOf = (page: Page) =>
  page
    .locator('script[type="module"][src^="/assets/index-"]')
    .first()
    .evaluate((script) => new URL((script as HTMLScriptElement).src).pathname);
