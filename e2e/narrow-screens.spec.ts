import type { Page } from '@playwright/test';
import { asService, sql } from '../local/testing/clients.ts';
import {
  newMember,
  newMemberWithPoints,
  newOwner,
  newQuest,
  submitProof,
  unwrap,
} from '../supabase/tests/support/factories.ts';
import { creditPurchase, endPayment, newPayment } from '../supabase/tests/support/purchases.ts';
import { newReward, redeem } from '../supabase/tests/support/rewards.ts';
import { type Account, expect, signUp, test } from './fixtures.ts';
import { newBrowserAdmin, openTab, rowWith } from './support/admin.ts';
import { clippedFocusRings } from './support/focus-rings.ts';
import { newFounder } from './support/founder.ts';
import { submitForReview } from './support/outside-beta.ts';
import { atPhoneWidths } from './support/phones.ts';
import { follow, membersRoutes, open, publicRoutes, type Route, visitor } from './support/screens.ts';

const LONG_WORD = 'Wolfeschlegelsteinhausenbergerdorff';

/** What overflows the right edge at some width, reported once per width. */
async function tooWide(page: Page, path: string): Promise<string[]> {
  const sizes = await atPhoneWidths(page, (copy) => {
    const edge = copy.documentElement.clientWidth;
    if (copy.documentElement.scrollWidth <= edge) return [];
    const all = [...copy.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > edge);
    return all.map((each) => each.outerHTML.slice(0, 100)).slice(-3);
  });
  const wide = sizes.filter(({ seen }) => seen.length > 0);
  return wide.map(({ width, seen }) => `${path} at ${width} px: ${seen.join(' | ')}`);
}

/** Figures that run past the room that they have, at each width. */
async function cutFigures(page: Page): Promise<string[]> {
  const sizes = await atPhoneWidths(page, (copy) =>
    [...copy.querySelectorAll('main dl dd')]
      .filter((figure) => figure.scrollWidth > figure.clientWidth)
      .map((figure) => figure.textContent),
  );
  return sizes.flatMap(({ width, seen }) => seen.map((text) => `${text} at ${width} px`));
}

/** Opens the first of these screens, follows links to the others, and collects the problems of each. */
async function expectNothingWrong(page: Page, routes: Route[], ask: (path: string) => Promise<string[]>) {
  const found: string[] = [];
  const screens = routes.filter(([, , kind]) => !kind);
  for (const [index, route] of screens.entries()) {
    await test.step(route[0], async () => {
      await (index === 0 ? open : follow)(page, route);
      found.push(...(await ask(route[0])));
    });
  }
  expect(found).toEqual([]);
}

/** A member with a long name and content in every list, of a project with a long name. */
async function fillScreens({ userId, email, client }: Account): Promise<{ handle: string; quest: Route }> {
  await unwrap(client.rpc('update_profile', { p_username: 'narrow', p_display_name: LONG_WORD }));
  const handle = `h${userId.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()}`.slice(0, 30);
  await unwrap(client.rpc('set_public_profile', { p_handle: handle }));
  const { code } = await unwrap(client.from('referral_codes').select('code').single());
  // A higher balance than anybody is likely to have.
  await unwrap(
    asService().rpc('credit_points_safe', { p_user_id: userId, p_points: 1_234_567, p_description: 'Grant' }),
  );
  const friend = await newMember('friend');
  await sql().query("update public.user_profiles set created_at = now() - interval '1 day' where user_id = $1", [
    userId,
  ]);
  await unwrap(friend.client.rpc('process_referral_signup', { p_user_id: friend.id, p_code: code }));
  const owner = await newOwner();
  await sql().query('update public.startup_profiles set name = $1 where id = $2', [LONG_WORD, owner.startup.id]);
  const { taskId, campaign } = await newQuest(owner, {
    campaign: { title: `A quest of ${LONG_WORD}` },
    task: { title: `A task of ${LONG_WORD}`, proof_type: 'text' },
  });
  const id = await submitForReview({ id: userId, email }, taskId, { text: `Done by ${LONG_WORD}` });
  await unwrap(
    owner.client.rpc('review_submission', {
      p_submission_id: id,
      p_decision: 'reject',
      p_reason: 'other',
      p_note: `Not what ${LONG_WORD} was asked for`,
    }),
  );
  return { handle, quest: [`/community/quest/${campaign.id}`, campaign.title] };
}

test.beforeEach(() => test.setTimeout(480_000));

test('no visitor screen scrolls sideways on any phone from 360 to 430 px', async ({ page, context }) => {
  const routes = [...(await visitor.enter(context)), ...(await publicRoutes())];
  await expectNothingWrong(page, routes, (path) => tooWide(page, path));
});

/** Space between the text in the level ring and the ring, at each width. */
const roomInRing = (page: Page) =>
  atPhoneWidths(page, (copy) => {
    const ring = copy.querySelector('[role="progressbar"][aria-label="Progress to the next level"]');
    if (!ring) throw new Error('there is no ring');
    const box = ring.getBoundingClientRect();
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    // The drawing is 100 wide: the ring's inner edge is its radius minus half its stroke.
    const inner = ((42 - 9 / 2) / 100) * box.width;
    const range = copy.createRange();
    const corners: number[] = [];
    const walker = copy.createTreeWalker(ring, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      range.selectNodeContents(node);
      for (const { left, right, top, bottom } of range.getClientRects())
        for (const x of [left, right])
          for (const y of [top, bottom]) corners.push(Math.hypot(x - middle.x, y - middle.y));
    }
    return inner - Math.max(...corners);
  });

async function expectRoomInRing(page: Page): Promise<void> {
  await open(page, ['/rewards', 'My Rewards']);
  for (const { width, seen } of await roomInRing(page))
    expect(seen, `room between the words and the ring at ${width} px`).toBeGreaterThanOrEqual(0);
}

test('REWARD-02 no member screen scrolls sideways on any phone from 360 to 430 px, and no focus ring is cut off', async ({
  page,
  context,
}) => {
  const account = await signUp(context, 'narrow');
  await test.step('the text in the level ring fits inside it', () => expectRoomInRing(page));
  const { handle, quest } = await fillScreens(account);
  await test.step('also for a large level', () => expectRoomInRing(page));
  await test.step('a balance of seven digits stays in its card', async () => {
    await open(page, ['/community', 'Community Dashboard']);
    await expect(page.getByRole('region', { name: 'Where you stand' })).toContainText('1,234,');
    expect(await cutFigures(page)).toEqual([]);
  });
  const routes: Route[] = [
    ...(await membersRoutes()),
    ['/rewards', 'My Rewards'],
    ['/browse', 'Explore the board'],
    quest,
    [`/m/${handle}`, LONG_WORD],
  ];
  await expectNothingWrong(page, routes, async (path) => [
    ...(await clippedFocusRings(page)).map((control) => `${path}: ${control}`),
    ...(await tooWide(page, path)),
  ]);
});

test('@phone a project with a long name and address fits the screens of its founder, of visitors and of admins', async ({
  page,
  context,
  newBrowser,
}) => {
  const founder = await newFounder(context);
  const name = `${LONG_WORD.repeat(2)}${founder.id.slice(-8)}`;
  await sql().query('update public.startup_profiles set name = $1, website = $2 where id = $3', [
    name,
    `https://kite.example/${LONG_WORD.repeat(2)}`,
    founder.startup.id,
  ]);
  const paid = newPayment();
  await unwrap(creditPurchase(founder, paid));
  const { campaign } = await newQuest(founder);
  const routes: Route[] = [
    ['/startup', 'Project dashboard'],
    [`/community/project/${founder.startup.id}`, name],
  ];
  await expectNothingWrong(page, routes, (path) => tooWide(page, path));

  const office = await newBrowser();
  await newBrowserAdmin(office);
  const desk = await office.newPage();
  await openTab(desk, 'quests', { q: campaign.title });
  await expect(rowWith(desk, name)).toBeVisible();
  expect(await tooWide(desk, 'the quests of the admin')).toEqual([]);

  await test.step('on a large screen the name stays in its column of the returned payments', async () => {
    const spent = await newQuest(founder, { task: { reward_points: 1000, max_completions: 1 } });
    await unwrap(submitProof(await newMember(), spent.taskId));
    await unwrap(endPayment(paid.payment));
    await desk.setViewportSize({ width: 1280, height: 800 });
    await openTab(desk, 'payments');
    const link = rowWith(desk, name).getByRole('link', { name });
    await expect(link).toBeVisible();
    expect(await link.evaluate((each) => each.getBoundingClientRect().right)).toBeLessThanOrEqual(
      await link.evaluate((each) => each.closest('td, th')?.getBoundingClientRect().right ?? 0),
    );
  });

  await test.step('and that of a reward leaves the buttons of its redemption on the screen', async () => {
    const reward = await newReward({ title: `${LONG_WORD.repeat(2)}${founder.id.slice(-8)}` });
    const member = await newMemberWithPoints(40);
    await unwrap(redeem(member, reward));
    await openTab(desk, 'redemptions', { q: member.email });
    await expect(rowWith(desk, LONG_WORD).getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 });
  });
});

test('@phone the menu of a member with a long name fits a narrow screen, and scrolls on a low one', async ({
  page,
  context,
}) => {
  const { client } = await signUp(context, 'menu');
  await unwrap(client.rpc('update_profile', { p_username: 'menu', p_display_name: LONG_WORD.repeat(2) }));
  await open(page, ['/settings', 'Account settings']);
  await page.getByRole('button', { name: /Your menu/ }).click();
  const menu = page.getByRole('menu');
  for (const size of [
    { width: 320, height: 640 },
    { width: 640, height: 320 },
  ]) {
    await page.setViewportSize(size);
    // The menu moves a moment after the window has changed.
    await expect(async () => {
      const box = await menu.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect(box && box.x + box.width).toBeLessThanOrEqual(size.width);
      expect(box && box.y + box.height).toBeLessThanOrEqual(size.height);
    }).toPass();
    const last = menu.getByRole('menuitem', { name: 'Sign Out' });
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport({ ratio: 1 });
  }
});

test('@phone the button of a quest card is never over its points, on the narrowest screen', async ({
  page,
  context,
}) => {
  await signUp(context, 'narrow');
  const { startup, ...owner } = await newOwner();
  await newQuest({ ...owner, startup });
  // More than a hundred tasks can pay, with the title of a reward that is cut off beside them.
  await page.route('**/rpc/list_published_quests?**', async (route) => {
    const response = await route.fetch();
    const rows: object[] = await response.json();
    const json = rows.map((row) => ({ ...row, reward_points: 1_000_000, custom_reward_title: LONG_WORD }));
    await route.fulfill({ response, json });
  });
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, [`/browse?${new URLSearchParams({ q: startup.name })}`, 'Explore the board']);
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: startup.name });
  const button = await card.getByText('Join Quest').evaluateHandle((link) => link);
  // Both at one moment: a font that arrives between two moves the card. Of the number's words: their box may be narrower.
  const gap = await card.getByText('1,000,000').evaluate((number, link) => {
    const words = document.createRange();
    words.selectNodeContents(number);
    const [{ right, bottom }, { left, top, width }] = [words.getBoundingClientRect(), link.getBoundingClientRect()];
    return width && Math.max(top - bottom, left - right);
  }, button);
  expect(gap, 'px between them').toBeGreaterThan(0);
});

test('@phone C-72 the button to the next quest stays in its card, however long the title, in a window wider than a phone', async ({
  page,
  context,
}) => {
  const { client } = await signUp(context, 'next');
  const { campaign, taskId } = await newQuest(await newOwner());
  await unwrap(client.rpc('submit_proof', { p_task_id: taskId, p_url: 'https://blog.example/kitebox' }));
  await page.route('**/rpc/list_suggested_quests**', async (route) => {
    const response = await route.fetch();
    const rows: object[] = await response.json();
    await route.fulfill({ response, json: rows.map((row) => ({ ...row, title: 'A very long title '.repeat(11) })) });
  });
  await page.setViewportSize({ width: 640, height: 400 });
  await open(page, [`/community/quest/${campaign.id}`, campaign.title]);
  const next = page.getByRole('main').getByRole('link', { name: /^Next: A very long title/ });
  await expect(next).toBeVisible();
  const room = await next.evaluate((link) => {
    const card = link.closest('section');
    return card && card.getBoundingClientRect().right - link.getBoundingClientRect().right;
  });
  expect(room, 'px between the button and the edge of its card').toBeGreaterThan(0);
});
