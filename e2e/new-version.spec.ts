import type { Page, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { followTo } from './support/screens.ts';

test.use({
  expectedErrors: [/Failed to load resource|dynamically imported module|PageLoadError|could not be fetched/],
});

const pricing = (page: Page) => page.getByRole('heading', { level: 1, name: 'Pricing - Coming Soon' });

/** Blocks the code of further pages until released, and counts how often the page itself is loaded. */
async function loseCode(page: Page) {
  let isLost = true;
  let opened = 0;
  await page.route(/\/assets\/pricing-page/, (route) => (isLost ? route.fulfill({ status: 404 }) : route.continue()));
  page.on('request', (request) => {
    if (request.isNavigationRequest()) opened += 1;
  });
  return { find: () => (isLost = false), opened: () => opened };
}

/** The host's answer for the page: a version with another entry and the same libraries. */
async function answerOtherVersion(route: Route) {
  const page = await route.fetch();
  await route.fulfill({ response: page, body: (await page.text()).replaceAll(/index-[\w-]+\.js/g, 'index-other.js') });
}

test('BEY-12 a page left open across a deployment loads the new version automatically, once', async ({ page }) => {
  const code = await loseCode(page);
  await page.goto('/terms');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.route('/', (route) => {
    code.find();
    return answerOtherVersion(route);
  });
  await followTo(page, '/pricing');
  await expect(pricing(page)).toBeVisible();
  expect(code.opened()).toBe(2);
});

test('BEY-12 ERR-05 code that failed to load causes no reload; if no new version arrives the user is told, without a reload loop', async ({
  page,
}) => {
  const code = await loseCode(page);
  await page.goto('/terms');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await followTo(page, '/pricing');
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded');
  await expect(page.getByRole('banner')).toBeVisible();
  expect(code.opened()).toBe(1);

  await page.goto('/terms');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.route('/', answerOtherVersion);
  await followTo(page, '/pricing');
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded');
  expect(code.opened()).toBe(3);
});
