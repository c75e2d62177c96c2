import type { Page } from '@playwright/test';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, signUp, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';

const API = /\/rest\/v1\//;

test.use({ expectedErrors: [/Failed to load resource|net::ERR/] });

interface Screen {
  name: string;
  path: string;
  /** What is visible once the data has loaded. */
  whenUp: (page: Page) => ReturnType<Page['getByText']>;
  whenDown: string;
  /** Returns the path if it depends on created data. */
  prepare?: () => Promise<string>;
}

const visitors: Screen[] = [
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
];

const members: Screen[] = [
  {
    name: 'dashboard',
    path: '/community',
    whenUp: (page) => page.getByRole('heading', { name: 'Refer friends' }),
    whenDown: 'could not be loaded',
  },
  {
    name: 'my quests',
    path: '/community/quests',
    whenUp: (page) => page.getByText('No quests started yet'),
    whenDown: 'could not be loaded',
  },
  {
    name: 'quest',
    path: '/community/quest/',
    whenUp: (page) => page.getByRole('heading', { name: 'Tasks' }),
    whenDown: 'could not be loaded',
    prepare: async () => `/community/quest/${(await newQuest(await newOwner())).campaign.id}`,
  },
  {
    name: 'wallet history',
    path: '/rewards?view=history',
    whenUp: (page) => page.getByText('No transactions yet'),
    whenDown: 'could not be loaded',
  },
  {
    name: 'rewards',
    path: '/rewards',
    whenUp: (page) => page.getByText('No transactions yet'),
    whenDown: 'Error Loading Data',
  },
  {
    name: 'profile',
    path: '/profile',
    whenUp: (page) => page.getByRole('form', { name: 'Your profile' }),
    whenDown: 'Your profile could not be loaded',
  },
];

const founders: Screen = {
  name: 'project dashboard',
  path: '/startup',
  whenUp: (page) => page.getByRole('link', { name: /create.*quest/i }).first(),
  whenDown: 'Your project could not be loaded',
};

/** Advances the page's clock until both retries have failed as well. */
const expectFailed = (page: Page, sentence: string) =>
  expect(async () => {
    await page.clock.fastForward(3000);
    await expect(page.getByRole('main').getByText(sentence).first()).toBeVisible({ timeout: 200 });
  }).toPass({ intervals: [0] });

/** Without it, the clock advanced below would let Clerk give up its own script, which is still arriving on a slow machine. */
const expectIdentity = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => 'Clerk' in window && (window.Clerk as { loaded?: boolean }).loaded === true))
    .toBe(true);

async function expectRecovery(page: Page, { name, path, whenUp, whenDown, prepare }: Screen, isSignedIn: boolean) {
  await test.step(name, async () => {
    const target = (await prepare?.()) ?? path;
    let isDown = true;
    await page.route(API, (route) => (isDown ? route.abort() : route.continue()));
    await page.goto(target);
    if (isSignedIn) await expectIdentity(page);
    await expectFailed(page, whenDown);
    // All failures are reported in one alert.
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(1);
    isDown = false;
    // No interaction; the next retry is about 15 seconds away.
    await page.clock.fastForward(17_000);
    await expect(whenUp(page)).toBeVisible();
    await expect(page.getByText(whenDown)).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
    await page.unroute(API);
  });
}

test.beforeEach(({ page }) => page.clock.install());

test('TRUST-14 the public screens report that the server is down and recover automatically, or at once with Retry', async ({
  page,
}) => {
  for (const screen of visitors) await expectRecovery(page, screen, false);
  await test.step('Retry', async () => {
    let isDown = true;
    await page.route(API, (route) => (isDown ? route.fulfill({ status: 503, body: '{}' }) : route.continue()));
    await page.goto('/browse');
    await expectFailed(page, 'The quests could not be loaded');
    await expectAccessible(page);
    isDown = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('main').getByRole('link', { name: 'View Details' }).first()).toBeVisible();
  });
});

test('TRUST-14 the member screens report that the server is down and recover automatically', async ({
  page,
  context,
}) => {
  await signUp(context);
  for (const screen of members) await expectRecovery(page, screen, true);
});

test('TRUST-14 the project dashboard reports that the server is down and recovers automatically', async ({
  page,
  context,
}) => {
  await newFounder(context);
  // Once with the server, so that the browser knows the role.
  await page.goto('/startup');
  await expect(page.getByRole('heading', { name: 'Project dashboard' })).toBeVisible();
  await expectRecovery(page, founders, true);
});
