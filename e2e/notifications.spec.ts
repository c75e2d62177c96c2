import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { asService } from '../local/testing/clients.ts';
import { newAdmin, newCheckedOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { newBrowser } from './support/admin.ts';
import { newFounder } from './support/founder.ts';
import { submitForReview } from './support/outside-beta.ts';
import { follow } from './support/screens.ts';

/** A poll comes every 30 s, ten per cent sooner or later. */
const ONE_POLL_MS = 34_000;

const bell = (page: Page, unread: number) =>
  page.getByRole('banner').getByRole('button', {
    name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
    exact: true,
  });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

test('BEY-03 a rejection and an approval are heard within one poll, and each line leads to where it is dealt with', async ({
  page: member,
  context,
  browser,
}) => {
  const account = await signUp(context, 'listener');
  const person = { id: account.userId, email: account.email };
  const founderContext = await newBrowser(browser);
  const founder = await newFounder(founderContext);
  const { campaign, taskId } = await newQuest(founder, { task: { title: 'Fly the kite' } });
  const review = (p_submission_id: string, decision: { p_decision: string; p_reason?: string; p_note?: string }) =>
    unwrap(founder.client.rpc('review_submission', { p_submission_id, ...decision }));

  // Without Realtime: the poll is the truth.
  await member.routeWebSocket(/\/realtime\//, (socket) => socket.close());
  await member.clock.install();
  await member.goto('/community');
  await expect(bell(member, 0)).toBeVisible();
  const first = await submitForReview(person, taskId, { text: 'Flown' });

  await test.step('the founder reads that a proof waits, and opens it', async () => {
    const desk = await founderContext.newPage();
    await desk.goto('/browse');
    await bell(desk, 2).click();
    await expect(panel(desk)).toContainText(`1 proof of “${campaign.title}” waits for your decision.`);
    await expectAccessible(desk);
    await expectNoSidewaysScroll(desk);
    await panel(desk)
      .getByRole('link', { name: /1 proof of/ })
      .click();
    await expect(desk).toHaveURL(`/startup/campaigns/${campaign.id}/submissions`);
    await expect(bell(desk, 1)).toBeVisible();
    await founderContext.close();
  });

  await test.step('the member hears of the rejection, and goes from it to the quest', async () => {
    await review(first, { p_decision: 'reject', p_reason: 'incomplete', p_note: 'Show the string.' });
    await member.clock.runFor(ONE_POLL_MS);
    await bell(member, 1).click();
    await expect(panel(member)).toContainText('Your proof for “Fly the kite” was not accepted.');
    await expect(panel(member)).toContainText('Show the string.');
    await expectAccessible(member);
    for (const width of [360, member.viewportSize()?.width ?? 390]) {
      await member.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(member);
    }
    await panel(member)
      .getByRole('link', { name: /Fly the kite/ })
      .click();
    await expect(member).toHaveURL(`/community/quest/${campaign.id}`);
    await expect(bell(member, 0)).toBeVisible();
  });

  await test.step('and of the approval of the next proof', async () => {
    const second = await submitForReview(person, taskId, { text: 'Flown, with the string' });
    await review(second, { p_decision: 'approve' });
    await member.clock.runFor(ONE_POLL_MS);
    await bell(member, 1).click();
    await expect(panel(member)).toContainText('Your proof for “Fly the kite” was accepted. You earned 10 points.');
    await panel(member).getByRole('link', { name: 'See all notifications' }).click();
  });

  await test.step('the page has both, and marks them as read', async () => {
    await expect(member.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible();
    const lines = member.getByRole('tabpanel').getByRole('listitem');
    await expect(lines).toHaveCount(2);
    await member.getByRole('tab', { name: 'Unread (1)' }).click();
    await expect(lines).toHaveCount(1);
    await member.getByRole('button', { name: 'Mark all read' }).click();
    await expect(member.getByRole('heading', { name: 'You have read everything' })).toBeVisible();
    await expect(bell(member, 0)).toBeVisible();
    await expectAccessible(member);
  });
});

/** The page listens: the server has let it into its channel. */
const joined = (page: Page) =>
  page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', {
      predicate: ({ payload }) => String(payload).includes('"postgres_changes"'),
    }),
  );

test('BEY-03 C-88 where Realtime is configured what others decide is heard within two seconds, and the open screen shows it', async ({
  page,
  context,
}) => {
  const account = await signUp(context, 'live');
  // Looked at by an admin, so that what it pays is not held.
  const owner = await newCheckedOwner();
  const { campaign, taskId } = await newQuest(owner, { task: { title: 'Fly the kite' } });
  const id = await submitForReview({ id: account.userId, email: account.email }, taskId, { text: 'Flown' });
  const grant = { p_user_id: account.userId, p_points: 100, p_description: 'Grant' };
  await unwrap(asService().rpc('credit_points_safe', grant));
  const admin = await newAdmin();
  const reward = await unwrap(
    admin.client.rpc('save_reward', {
      p_reward: { title: `Postcard ${randomUUID()}`, points_cost: 30, delivery: 'mail' },
    }),
  );
  const redemption = await unwrap(
    account.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: randomUUID() }),
  );

  // The first poll comes after 27 seconds at the earliest, and those of the lists later.
  const listening = joined(page);
  await page.goto('/community/quests');
  const quest = page.getByRole('main').getByRole('listitem', { name: campaign.title });
  await expect(quest).toContainText('In Review');
  await expect(bell(page, 0)).toBeVisible();
  await listening;
  await unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
  await Promise.all([
    expect(bell(page, 1)).toBeVisible({ timeout: 2000 }),
    expect(quest).toContainText('Done', { timeout: 2000 }),
    expect(page.getByRole('banner')).toContainText('80 points', { timeout: 2000 }),
  ]);

  await follow(page, ['/rewards', 'My Rewards']);
  const redeemed = page.getByRole('region', { name: 'Your redemptions' });
  await expect(redeemed).toContainText('Pending');
  await unwrap(admin.client.rpc('set_redemption_status', { p_redemption_id: redemption.id, p_status: 'fulfilled' }));
  await expect(redeemed).toContainText('Fulfilled', { timeout: 2000 });
});
