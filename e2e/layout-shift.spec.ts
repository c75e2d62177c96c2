import type { BrowserContext, Page } from '@playwright/test';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, signUp, test } from './fixtures.ts';
import { rateProject, submitAsNewMember } from './support/founder.ts';
import { founderWithQuest } from './support/screens.ts';

test.use({ reducedMotion: 'no-preference' });

/** The design's budget: half of what counts as good; less on home, which is prerendered. */
const allowed = { '/': 0.02, other: 0.05 };

interface Screen {
  name: string;
  path: string;
  /** Returns the path if it depends on created data. */
  prepare?: () => Promise<string>;
}

const newQuestPath = async (prefix: string) => {
  const { campaign, taskId } = await newQuest(await newOwner(), {
    campaign: { summary: 'Three things to look at, and what you think of them.' },
  });
  await submitAsNewMember(taskId);
  return `${prefix}/${campaign.id}`;
};

const newProjectPath = async () => {
  const owner = await newOwner();
  await newQuest(owner);
  await rateProject(owner.startup.id, 4);
  return `/community/project/${owner.startup.id}`;
};

/** Which role visits which screens; a returning browser remembers the stored role. */
const walks: { who: string; enter?: (context: BrowserContext) => Promise<unknown>; screens: Screen[] }[] = [
  {
    who: 'a visitor',
    screens: [
      { name: 'home', path: '/' },
      { name: 'hub, quests', path: '/browse' },
      { name: 'hub, projects', path: '/browse?tab=projects' },
      { name: 'quest', path: '/browse/quest', prepare: () => newQuestPath('/browse/quest') },
      { name: 'project', path: '/community/project', prepare: newProjectPath },
      { name: 'rewards', path: '/rewards' },
    ],
  },
  {
    who: 'a member',
    enter: async (context) => {
      const { userId } = await signUp(context);
      await context.addInitScript((id) => {
        // Not in the blank page that precedes the first one.
        if (location.protocol === 'http:') localStorage.setItem('questboard.role-owner', id);
      }, userId);
    },
    screens: [
      { name: 'home', path: '/' },
      { name: 'hub', path: '/browse' },
      { name: 'dashboard', path: '/community' },
      { name: 'quest', path: '/community/quest', prepare: () => newQuestPath('/community/quest') },
      { name: 'rewards', path: '/rewards' },
      { name: 'profile', path: '/profile' },
      { name: 'settings', path: '/settings' },
      { name: 'referrals', path: '/community/referrals' },
    ],
  },
  {
    who: 'a founder',
    enter: founderWithQuest.enter,
    screens: [
      { name: 'project dashboard', path: '/startup' },
      { name: 'billing', path: '/startup/billing' },
      { name: 'developers', path: '/startup/developers' },
    ],
  },
];

/** Sums up unexpected layout shifts, with the largest sources for debugging. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: { value: number; at: number; movers: string[] }[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        hadRecentInput: boolean;
        value: number;
        sources: { node?: Node }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        const movers = entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : '?'));
        shifts.push({ value: entry.value, at: Math.round(entry.startTime), movers });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'shifts') as { value: number; at: number; movers: string[] }[]);
}

async function expectSteady(page: Page, path: string) {
  // Responses arrive one after the other, as on a bad connection.
  let number = 0;
  let underWay = 0;
  await page.route(/\/rest\/v1\//, async (route) => {
    number += 1;
    underWay += 1;
    await new Promise((resolve) => setTimeout(resolve, 100 + (number % 4) * 60));
    await route.continue();
    underWay -= 1;
  });
  const shifts = await watchShifts(page);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // A page can show its first content before the app starts, and without the app nothing is busy.
  await expect.poll(() => number, 'requests that were slow').toBeGreaterThan(0);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  // One response may trigger the next request, so the network must be idle twice.
  const settled = async () => {
    const before = number;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return number === before && underWay === 0;
  };
  await expect.poll(settled, { intervals: [0] }).toBe(true);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const seen = await shifts();
  const sum = seen.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(seen, null, 1)).toBeLessThan(path === '/' ? allowed['/'] : allowed.other);
}

for (const { who, enter, screens } of walks) {
  test(`${who}: on a slow network skeletons are shown, and nothing shifts when the data arrives`, async ({
    context,
  }) => {
    await enter?.(context);
    for (const { name, path, prepare } of screens) {
      await test.step(name, async () => {
        const page = await context.newPage();
        await expectSteady(page, (await prepare?.()) ?? path);
        await page.close();
      });
    }
  });
}
