import type { BrowserContext, Page } from '@playwright/test';
import { newOwner, newQuest } from '../supabase/tests/support/world.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';

/** A route and the heading of its screen. */
type Route = readonly [path: string, heading: string | RegExp];

interface Role {
  name: string;
  /** Signs somebody in and gives the routes of the role. */
  enter: (context: BrowserContext) => Promise<Route[]>;
}

const everyone = async (): Promise<Route[]> => {
  const { startup, ...owner } = await newOwner();
  const { campaign } = await newQuest({ ...owner, startup });
  return [
    ['/', /Help new products grow/],
    ['/browse', 'Explore the board'],
    ['/browse?view=completed', 'Explore the board'],
    ['/browse?tab=projects', 'Explore the board'],
    [`/browse/quest/${campaign.id}`, campaign.title],
    [`/quest/${campaign.id}`, campaign.title],
    [`/community/project/${startup.id}`, startup.name],
    ['/pricing', 'Pricing - Coming Soon'],
    ['/nowhere', 'Page Not Found'],
  ];
};

/** What all signed-in roles have (ROUTE-03, 04, 07, 12). */
const members = async (): Promise<Route[]> => {
  const { campaign } = await newQuest(await newOwner());
  return [
    ['/rewards', 'My Rewards'],
    ['/rewards?view=history', 'Your history'],
    ['/community', 'Community Dashboard'],
    [`/community/quest/${campaign.id}`, campaign.title],
    ['/community/profile', 'Edit Profile'],
    ['/profile', 'Edit Profile'],
    ['/community/settings', 'Account settings'],
    ['/settings', 'Account settings'],
    ['/community/referrals', 'Referrals'],
    ['/onboarding', 'Welcome to Questboard'],
    ['/startup/subscribe', 'OG Lifetime Access'],
  ];
};

const roles: Role[] = [
  {
    name: 'ROUTE-02 ROUTE-05 ROUTE-06 a visitor',
    enter: async () => [
      ...(await everyone()),
      ['/rewards', 'Available Rewards'],
      ['/auth/signin', 'Welcome back'],
      ['/auth/signup', 'Join the Community'],
    ],
  },
  {
    name: 'a member',
    enter: async (context) => {
      await signUp(context);
      return [...(await everyone()), ...(await members())];
    },
  },
];

/** The page has arrived: its heading stands and nothing is on its way any more. */
async function open(page: Page, [path, heading]: Route) {
  await page.goto(path);
  const level1 = page.getByRole('heading', { level: 1 });
  await expect(level1).toHaveCount(1, { timeout: 30_000 });
  await expect(level1).toHaveText(heading, { timeout: 30_000 });
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 30_000 });
}

for (const { name, enter } of roles) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${name} finds every screen sound in ${colorScheme} colours`, async ({ page, context }) => {
      test.setTimeout(600_000);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const route of await enter(context)) {
        await test.step(route[0], async () => {
          await open(page, route);
          await expectAccessible(page);
          await expectNoSidewaysScroll(page);
          const size = page.viewportSize();
          await page.setViewportSize({ width: 360, height: 740 });
          await expectNoSidewaysScroll(page);
          if (size) await page.setViewportSize(size);
        });
      }
    });
  }
}
