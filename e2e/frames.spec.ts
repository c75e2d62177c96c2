import type { BrowserContext, Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, expectNoSidewaysScroll, signIn, signUp, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';

const makeOg = (userId: string) =>
  sql().query('update public.user_profiles set og_badge = true where user_id = $1', [userId]);

/** Everybody who has a header of their own; a member's has the most in it. */
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

for (const { who, enter, badge } of people) {
  test(`HEAD-09 the header of ${who} fits every phone from 360 to 430 px`, async ({ page, context }) => {
    await enter(context);
    // More points than anybody is likely to have.
    await page.route(/\/rest\/v1\/wallets/, async (route) => {
      const answer = await route.fetch();
      const rows = await answer.json();
      const rich = (row: object) => ({ ...row, points: 123_456 });
      await route.fulfill({ response: answer, json: Array.isArray(rows) ? rows.map(rich) : rich(rows) });
    });
    await page.goto('/pricing');
    const header = page.getByRole('banner');
    await expect(header.getByRole('button', { name: 'Menu' })).toBeVisible();
    await expect(header.locator('[aria-busy="true"]')).toHaveCount(0);
    if (badge) await expect(header.getByTitle('OG Member')).toBeVisible();
    if (who.startsWith('a member')) await expect(header.getByRole('link', { name: /123,456/ })).toBeVisible();
    for (let width = 360; width <= 430; width += 1) {
      await page.setViewportSize({ width, height: 740 });
      await expectNoSidewaysScroll(page);
      const { right, height } = await header.evaluate((element) => ({
        right: Math.max(
          ...[...element.querySelectorAll('a, button, span')].map((part) => part.getBoundingClientRect().right),
        ),
        height: element.getBoundingClientRect().height,
      }));
      expect(right, `right edge at ${width} px`).toBeLessThanOrEqual(width);
      expect(height, `one line at ${width} px`).toBeLessThanOrEqual(66);
    }
  });
}

/** Texts and controls that the Share Feedback tab lies over, as the page stands. */
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

test('FEED-01 the Share Feedback tab covers nothing at the end of scrolling, and the menu has it too', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  const { campaign } = await newQuest(founder);
  const other = await newQuest(await newOwner());
  const paths = [
    '/',
    '/browse',
    '/rewards',
    '/startup',
    '/community',
    `/community/quest/${other.campaign.id}`,
    `/startup/campaigns/${campaign.id}/submissions`,
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    for (const width of [360, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      expect(await coveredByFeedback(page), `${path} at ${width} px`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /Your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Share Feedback' }).click();
  await expect(page.getByRole('dialog', { name: 'Beta Feedback' })).toBeVisible();
});

test('a page that is slow to come is announced at once, and the former one stays until then', async ({ page }) => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.goto('/pricing');
  const footer = page.getByRole('contentinfo');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pricing - Coming Soon');
  await page.route(/assets\/hub-page-/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await footer.getByRole('link', { name: 'Quests and projects' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Loading page' })).toBeVisible({ timeout: 1000 });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pricing - Coming Soon');
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Explore the board');
  await expect(page.getByText('Loading page')).toHaveCount(0);
});

test.describe('without a network', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR|PageLoadError|dynamically imported/] });

  test('a page whose code cannot be fetched says so inside the frame, and comes by itself', async ({
    page,
    context,
  }) => {
    await page.goto('/pricing');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('main').getByRole('link', { name: 'See the plans' }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('You are offline');
    await expect(page.getByRole('banner')).toBeVisible();
    await expect(page.getByText('Oops!')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Help new products grow/);
  });

  test('online, the same failure is not called an offline one, and Retry brings the page', async ({ page }) => {
    await page.goto('/pricing');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.route(/assets\/home-page-/, (route) => route.abort());
    await page.getByRole('main').getByRole('link', { name: 'See the plans' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page could not be loaded');
    await page.unroute(/assets\/home-page-/);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Help new products grow/);
  });
});

test('ADMIN-01 the ring around an admin tab is whole', async ({ page, context }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(context, 'admin@questboard.local', 'questboard-demo');
  await page.goto('/admin');
  const tab = page.getByRole('tab', { name: /^Projects/ });
  const ring = () =>
    page.evaluate(() => {
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(document.activeElement ?? document.body);
      return { isTab: document.activeElement?.role === 'tab', outlineStyle, outlineWidth, outlineOffset };
    });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  // Inside the tab, where the column that scrolls cannot cut it off.
  expect(await ring()).toEqual({ isTab: true, outlineStyle: 'solid', outlineWidth: '3px', outlineOffset: '-3px' });
});
