import type { BrowserContext, Page } from '@playwright/test';
import { newOwner, newQuest } from '../supabase/tests/support/world.ts';
import { expect, signUp, test } from './fixtures.ts';
import { rateProject } from './support/api.ts';
import { submitAsNewMember } from './support/founder.ts';
import { founderWithQuest } from './support/screens.ts';

/** What the design allows: half of what counts as good. */
const allowed = 0.05;

interface Screen {
  name: string;
  path: string;
  enter?: (context: BrowserContext) => Promise<unknown>;
  /** Gives the path where it depends on what was made. */
  prepare?: () => Promise<string>;
}

/** A member who was here before: the browser remembers whose role it keeps. */
const member = async (context: BrowserContext) => {
  const { userId } = await signUp(context);
  await context.addInitScript((id) => localStorage.setItem('questboard.role-owner', id), userId);
};

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

const screens: Screen[] = [
  { name: 'home', path: '/' },
  { name: 'hub, quests', path: '/browse' },
  { name: 'hub, projects', path: '/browse?tab=projects' },
  { name: 'quest of a visitor', path: '/browse/quest', prepare: () => newQuestPath('/browse/quest') },
  { name: 'project', path: '/community/project', prepare: newProjectPath },
  { name: 'rewards of a visitor', path: '/rewards' },
  { name: 'home of a member', path: '/', enter: member },
  { name: 'hub of a member', path: '/browse', enter: member },
  { name: 'dashboard', path: '/community', enter: member },
  {
    name: 'quest of a member',
    path: '/community/quest',
    enter: member,
    prepare: () => newQuestPath('/community/quest'),
  },
  { name: 'rewards of a member', path: '/rewards', enter: member },
  { name: 'profile', path: '/profile', enter: member },
  { name: 'settings', path: '/settings', enter: member },
  { name: 'referrals', path: '/community/referrals', enter: member },
  { name: 'project dashboard', path: '/startup', enter: founderWithQuest.enter },
];

/** Adds up what moves without anybody's doing, with the largest movers for whoever has to mend it. */
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

for (const { name, path, enter, prepare } of screens) {
  test(`${name}: on a slow network skeletons stand in, and nothing moves when the data comes`, async ({
    page,
    context,
  }) => {
    await enter?.(context);
    const target = (await prepare?.()) ?? path;
    const shifts = await watchShifts(page);
    // Answers come one after the other, as on a bad connection.
    let number = 0;
    let underWay = 0;
    await page.route(/\/rest\/v1\//, async (route) => {
      number += 1;
      underWay += 1;
      await new Promise((resolve) => setTimeout(resolve, 600 + (number % 4) * 250));
      await route.continue();
      underWay -= 1;
    });
    await page.goto(target);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    // One answer may ask for the next, so that nothing under way must be so twice.
    const settled = async () => {
      const before = number;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return number === before && underWay === 0;
    };
    await expect.poll(settled).toBe(true);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    expect(number, 'requests that were slow').toBeGreaterThan(0);
    const seen = await shifts();
    const sum = seen.reduce((total, { value }) => total + value, 0);
    expect(sum, JSON.stringify(seen, null, 1)).toBeLessThan(allowed);
  });
}
