import type { Page } from '@playwright/test';
import { expect, signUp, test } from './fixtures.ts';

const pages = [
  ['/', /Help new products grow/],
  ['/browse', 'Explore the board'],
  ['/pricing', 'Pricing - Coming Soon'],
  ['/terms', 'Terms of Use'],
  ['/privacy', 'Privacy Policy'],
  ['/cookies', 'Cookie Policy'],
] as const;

/** Blocks the app's scripts until they are released. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('BEY-17 home, hub, pricing and the legal pages show their heading, links work, and everybody gets the same page', async ({
    page,
    context,
    playwright,
  }) => {
    for (const [path, name] of pages) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    }
    await page.goto('/pricing');
    await page.getByRole('link', { name: 'See the plans' }).click();
    await expect(page).toHaveURL('/#pricing');

    // Independent of who requests it.
    const visitor = await playwright.request.newContext({ baseURL: process.env.APP_URL });
    const account = await signUp(context, 'reader');
    for (const [path] of pages) {
      const own = await (await context.request.get(path)).text();
      expect(own).toContain('data-prerendered');
      expect(own).not.toContain(account.userId);
      expect(own).toBe(await (await visitor.get(path)).text());
    }
    await visitor.dispose();
  });
});

for (const [who, theme] of [
  ['a visitor', 'dark'],
  ['a member', 'light'],
] as const) {
  test(`the app hydrates the page without changes, for ${who} in the ${theme} theme`, async ({ page, context }) => {
    if (who === 'a member') await signUp(context, 'reader');
    await page.addInitScript((chosen) => localStorage.setItem('questboard.theme', chosen), theme);
    for (const [path, name] of pages) {
      const letGo = await holdScripts(page);
      await page.goto(path, { waitUntil: 'commit' });
      const heading = page.getByRole('heading', { level: 1, name });
      await expect(heading).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      // Nobody is treated as a visitor before the identity is known.
      await expect(page.getByRole('link', { name: /Sign In|Get Started/ })).toHaveCount(0);
      const first = await heading.elementHandle();
      letGo();
      const corner = page.getByRole('banner');
      const known =
        who === 'a member' ? corner.getByRole('button', { name: /Your menu/ }) : corner.getByText('Get Started');
      await expect(known).toBeVisible();
      await expect(page.getByRole('contentinfo')).toBeVisible();
      expect(await first?.evaluate((element) => element.isConnected), `${path} keeps its heading`).toBe(true);
      await page.unrouteAll();
    }
  });
}

test("before the scripts have loaded a pressed button is queued, and the hub's fields accept no input", {
  tag: '@phone',
}, async ({ page }) => {
  let letGo = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  const menu = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(menu).toHaveCount(0);
  letGo();
  await expect(menu).toBeVisible();
  await page.unrouteAll();

  letGo = await holdScripts(page);
  await page.goto('/browse', { waitUntil: 'commit' });
  const search = page.getByRole('searchbox');
  const place = await search.boundingBox();
  await page.mouse.click((place?.x ?? 0) + 40, (place?.y ?? 0) + 10);
  await page.keyboard.type('lost');
  await expect(search).toHaveValue('');
  letGo();
  await expect(page.locator('[inert]')).toHaveCount(0);
  await search.fill('paperkite');
  await expect(page).toHaveURL(/q=paperkite/);
});
