import type { Page } from '@playwright/test';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { follow } from './support/screens.ts';
import { buildSite, type Site } from './support/site.ts';

/** A build without an identity provider and with somebody's script for statistics, served on a port of its own. */
let site: Site;
const src = 'https://statistics.example/script.js';
const script = (page: Page) => page.locator('script[data-analytics]');

// One build for all tests of the file.
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  site = await buildSite({ VITE_CLERK_PUBLISHABLE_KEY: '', VITE_CLERK_PROXY_URL: '', VITE_ANALYTICS_SRC: src });
});

test.afterAll(() => site?.stop());

test('ROUTE-17 ROUTE-18 without sign-in the public pages work, every other path shows the 404 page, and /auth/* says what is missing', async ({
  page,
}) => {
  const { campaign } = await newQuest(await newOwner());
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
    '/quest/1',
    '/community/project/1',
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

test('ANA-01 a no keeps the script away, also after reloading; after a yes it is loaded, then at every start, and hears the events', async ({
  page,
  browser,
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
    const willing = await browser.newPage({ ...test.info().project.use });
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
