import type { BrowserContext, Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, signIn, signUp, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';
import { atPhoneWidths } from './support/phones.ts';
import { follow, open, type Route } from './support/screens.ts';

const makeOg = (userId: string) =>
  sql().query('update public.user_profiles set og_badge = true where user_id = $1', [userId]);

/** Each role with its own header; a member's contains the most. */
const people: { who: string; enter: (context: BrowserContext) => Promise<unknown>; badge: boolean }[] = [
  { who: 'a visitor', enter: async () => undefined, badge: false },
  { who: 'a member with the badge', enter: async (context) => makeOg((await signUp(context)).userId), badge: true },
  { who: 'a founder with the badge', enter: async (context) => makeOg((await newFounder(context)).id), badge: true },
  {
    who: 'an admin',
    enter: (context) => signIn(context, 'admin@questboard.local', 'questboard-demo'),
    badge: false,
  },
];

/** Makes the page show this balance. */
const haveBalance = (page: Page, points: number) =>
  page.route(/\/rest\/v1\/wallets/, async (route) => {
    const answer = await route.fetch();
    const rows = await answer.json();
    const withPoints = (row: object) => ({ ...row, points });
    await route.fulfill({ response: answer, json: Array.isArray(rows) ? rows.map(withPoints) : withPoints(rows) });
  });

test('HEAD-06 HEAD-09 a header that has just room for its links cuts no balance off', { tag: '@desktop' }, async ({
  page,
  context,
}) => {
  await makeOg((await signUp(context)).userId);
  await haveBalance(page, 1_234_567);
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto('/pricing');
  const header = page.getByRole('banner');
  const chip = header.getByRole('link', { name: '1,234,567 points' });
  await expect(header.getByTitle('OG Member')).toBeVisible();
  await expect(header.getByRole('link', { name: 'Community Dashboard' })).toBeVisible();
  expect(await chip.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const menu = await header.getByRole('button', { name: /Your menu/ }).boundingBox();
  expect((menu?.x ?? 0) + (menu?.width ?? 0), 'right edge, with the column’s padding').toBeLessThanOrEqual(1000);
  await page.unrouteAll({ behavior: 'wait' });
});

test('HEAD-09 the header of visitors, members, founders and admins fits every phone from 360 to 430 px', {
  tag: '@phone',
}, async ({ newBrowser }) => {
  test.setTimeout(480_000);
  for (const { who, enter, badge } of people)
    await test.step(who, async () => {
      const context = await newBrowser();
      const page = await context.newPage();
      await enter(context);
      // A higher balance than anybody is likely to have.
      await haveBalance(page, 123_456);
      await page.goto('/pricing');
      const header = page.getByRole('banner');
      await expect(header.getByRole('button', { name: 'Menu' })).toBeVisible();
      await expect(header.locator('[aria-busy="true"]')).toHaveCount(0);
      if (badge) await expect(header.getByTitle('OG Member')).toBeVisible();
      if (who.startsWith('a member')) await expect(header.getByRole('link', { name: /123,456/ })).toBeVisible();
      const sizes = await atPhoneWidths(page, (copy) => {
        const banner = copy.querySelector('header');
        if (!banner) throw new Error('there is no header');
        const parts = [...banner.querySelectorAll('a, button, span')];
        return {
          right: Math.max(...parts.map((part) => part.getBoundingClientRect().right)),
          height: banner.getBoundingClientRect().height,
          overflow: copy.documentElement.scrollWidth - copy.documentElement.clientWidth,
        };
      });
      for (const { width, seen } of sizes) {
        expect(seen.overflow, `pixels beyond the right edge at ${width} px`).toBeLessThanOrEqual(0);
        expect(seen.right, `right edge at ${width} px`).toBeLessThanOrEqual(width);
        expect(seen.height, `one line at ${width} px`).toBeLessThanOrEqual(66);
      }
      // A poll may be in flight.
      await page.unrouteAll({ behavior: 'wait' });
    });
});

/** Texts and controls that the Share Feedback tab covers at the current scroll position. */
async function coveredByFeedback(page: Page): Promise<string[]> {
  return page.getByRole('button', { name: 'Share Feedback' }).evaluate((tab) => {
    const box = tab.getBoundingClientRect();
    const meets = ({ left, right, top, bottom }: DOMRect) =>
      left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    const covered: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || tab.contains(parent) || !node.textContent?.trim() || !parent.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      if ([...range.getClientRects()].some(meets)) covered.push(node.textContent.trim());
    }
    for (const control of document.querySelectorAll('a, button, input, select, textarea, summary, [role="tab"]')) {
      if (control === tab || !control.checkVisibility()) continue;
      if ([...control.getClientRects()].some(meets)) covered.push(control.outerHTML.slice(0, 120));
    }
    return covered;
  });
}

test('FEED-01 the Share Feedback tab covers nothing at the end of scrolling, and the menu contains it too', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  const { campaign } = await newQuest(founder);
  const other = await newQuest(await newOwner());
  const routes: Route[] = [
    ['/browse', 'Explore the board'],
    ['/rewards', 'My Rewards'],
    ['/startup', 'Project dashboard'],
    ['/community', 'Community Dashboard'],
    [`/community/quest/${other.campaign.id}`, other.campaign.title],
    [`/startup/campaigns/${campaign.id}/submissions`, campaign.title],
  ];
  await open(page, ['/', /Help new products grow/]);
  for (const route of [undefined, ...routes]) {
    if (route) await follow(page, route);
    const path = route?.[0] ?? '/';
    for (const width of [360, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      // What is below the fold is asked for when it comes into view, and the end moves down with it.
      await expect
        .poll(
          async () => {
            await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
            return coveredByFeedback(page);
          },
          { message: `${path} at ${width} px` },
        )
        .toEqual([]);
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /Your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Share Feedback' }).click();
  await expect(page.getByRole('dialog', { name: 'Beta Feedback' })).toBeVisible();
});

test.describe('code that fails to load', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR|PageLoadError|dynamically imported/] });

  test('a slow page is announced at once; one that cannot be loaded says why, offline and online', async ({
    page,
    context,
  }) => {
    const title = page.getByRole('heading', { level: 1 });
    const footer = page.getByRole('contentinfo');
    await page.goto('/pricing');
    await expect(title).toHaveText('Pricing - Coming Soon');

    await test.step('slow: the previous page remains until then', async () => {
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/assets\/hub-page-/, async (route) => {
        await isReleased;
        await route.continue();
      });
      await footer.getByRole('link', { name: 'Quests and projects' }).click();
      await expect(page.getByRole('status').filter({ hasText: 'Loading page' })).toBeVisible({ timeout: 1000 });
      await expect(title).toHaveText('Pricing - Coming Soon');
      release();
      await expect(title).toHaveText('Explore the board');
      await expect(page.getByText('Loading page')).toHaveCount(0);
    });

    await test.step('offline: it says so inside the frame, and recovers automatically', async () => {
      await context.setOffline(true);
      await page
        .getByRole('banner')
        .getByRole('link', { name: /Questboard/ })
        .click();
      await expect(page.getByRole('main').getByRole('alert')).toContainText('You are offline');
      await expect(page.getByRole('banner')).toBeVisible();
      await expect(page.getByText('Oops!')).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
      await context.setOffline(false);
      await expect(title).toHaveText(/Help new products grow/);
    });

    await test.step('online: it is not reported as offline, and Retry loads the page', async () => {
      await page.route(/assets\/rewards-page-/, (route) => route.abort());
      await footer.getByRole('link', { name: 'Rewards' }).click();
      await expect(title).toHaveText('This page could not be loaded');
      await page.unroute(/assets\/rewards-page-/);
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(title).toHaveText('Available Rewards');
    });
  });
});
