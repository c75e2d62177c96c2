import type { BrowserContext, Page } from '@playwright/test';
import { newOwner, newQuest } from '../supabase/tests/support/world.ts';
import { expect, expectAccessible, signUp, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';

const API = /\/rest\/v1\//;
/** Time for two tries more, and for the next try after the failure. */
const PATIENCE = { timeout: 60_000 };

test.use({ expectedErrors: [/Failed to load resource|net::ERR/] });

interface Screen {
  name: string;
  path: string;
  /** What stands there when the data has come. */
  whenUp: (page: Page) => ReturnType<Page['getByText']>;
  whenDown: string;
  /** Prepares the world; gives the path when it depends on what was made. */
  prepare?: (context: BrowserContext, page: Page) => Promise<string | undefined>;
}

const asMember = async (context: BrowserContext) => {
  await signUp(context);
  return undefined;
};

const screens: Screen[] = [
  {
    name: 'hub, quests',
    path: '/browse',
    whenUp: (page) => page.getByRole('main').getByRole('link', { name: 'View Details' }).first(),
    whenDown: 'The quests could not be loaded',
  },
  {
    name: 'hub, projects',
    path: '/browse?tab=projects',
    whenUp: (page) => page.getByRole('main').getByRole('heading', { level: 2 }).first(),
    whenDown: 'The projects could not be loaded',
  },
  {
    name: 'quest',
    path: '/browse/quest/',
    whenUp: (page) => page.getByRole('heading', { name: 'Tasks' }),
    whenDown: 'The quest could not be loaded',
    prepare: async () => `/browse/quest/${(await newQuest(await newOwner())).campaign.id}`,
  },
  {
    name: 'project',
    path: '/community/project/',
    whenUp: (page) => page.getByRole('heading', { name: 'Feedback', exact: true }),
    whenDown: 'The project could not be loaded',
    prepare: async () => `/community/project/${(await newOwner()).startup.id}`,
  },
  {
    name: 'rewards',
    path: '/rewards',
    whenUp: (page) => page.getByText('No transactions yet'),
    whenDown: 'Error Loading Data',
    prepare: asMember,
  },
  {
    name: 'profile',
    path: '/profile',
    whenUp: (page) => page.getByRole('form', { name: 'Your profile' }),
    whenDown: 'Your profile could not be loaded',
    prepare: asMember,
  },
  {
    name: 'project dashboard',
    path: '/startup',
    whenUp: (page) => page.getByRole('link', { name: /create.*quest/i }).first(),
    whenDown: 'Your project could not be loaded',
    prepare: async (context, page) => {
      await newFounder(context);
      // Once with the server, so that the browser knows the role.
      await page.goto('/startup');
      await expect(page.getByRole('heading', { name: 'Project dashboard' })).toBeVisible(PATIENCE);
      return undefined;
    },
  },
];

for (const { name, path, whenUp, whenDown, prepare } of screens) {
  test(`TRUST-14 ${name}: says that the server is down and recovers by itself`, async ({ page, context }) => {
    test.setTimeout(150_000);
    const target = (await prepare?.(context, page)) ?? path;
    let isDown = true;
    await page.route(API, (route) => (isDown ? route.abort() : route.continue()));
    await page.goto(target);
    const alert = page.getByRole('main').getByText(whenDown).first();
    await expect(alert).toBeVisible(PATIENCE);
    isDown = false;
    await expect(whenUp(page)).toBeVisible(PATIENCE);
    await expect(alert).toBeHidden(PATIENCE);
  });
}

test('the home page stands without its data: no quests, the floors as figures', async ({ page }) => {
  await page.route(API, (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Join Community' }).first()).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Live Quests' }).getByRole('link', { name: 'View Details' }),
  ).toHaveCount(0);
  await expectAccessible(page);
});

test('TRUST-14 Retry loads the quests at once', async ({ page }) => {
  let isDown = true;
  await page.route(API, (route) => (isDown ? route.fulfill({ status: 503, body: '{}' }) : route.continue()));
  await page.goto('/browse');
  await expect(page.getByText('The quests could not be loaded')).toBeVisible(PATIENCE);
  await expectAccessible(page);
  isDown = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('main').getByRole('link', { name: 'View Details' }).first()).toBeVisible();
});
