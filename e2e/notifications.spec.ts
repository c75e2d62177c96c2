import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { asService } from '../local/testing/clients.ts';
import { newAdmin, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';
import { submitForReview } from './support/outside-beta.ts';
import { follow } from './support/screens.ts';

/** The poll interval of 30 s with its jitter of ten per cent. */
const ONE_POLL_MS = 34_000;

const bell = (page: Page, unread: number) =>
  page.getByRole('banner').getByRole('button', {
    name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
    exact: true,
  });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

/**
 * The founder decides at the desk in another browser and leaves the page; resolves when the server has the decision.
 */
async function decide(desk: Page, decision: 'approve' | { because: string; words: string }) {
  await desk.goto('/startup/review');
  await expect(desk.getByText(/^1 proof is waiting/)).toBeVisible();
  const press = (name: string) => desk.getByRole('button', { name, exact: true }).click();
  if (decision === 'approve') await press('Approve');
  else {
    await press('Reject');
    await desk.getByRole('radio', { name: decision.because }).check();
    await desk.getByLabel(/^Note\b/).fill(decision.words);
    await press('Reject submission');
  }
  await expect(desk.getByText('Nothing is left to review.')).toBeVisible();
  const sent = desk.waitForResponse(/rpc\/review_submissions/);
  await desk.getByRole('link', { name: 'Back to Dashboard' }).click();
  expect((await sent).status()).toBe(200);
}

test('BEY-03 a rejection and an approval arrive within one poll, and each notification links to its subject', async ({
  page: member,
  context,
  newBrowser,
}) => {
  const account = await signUp(context, 'listener');
  const person = { id: account.userId, email: account.email };
  const founderContext = await newBrowser();
  const founder = await newFounder(founderContext);
  const { campaign, taskId } = await newQuest(founder, { task: { title: 'Fly the kite' } });
  const desk = await founderContext.newPage();

  // Without Realtime: polling alone.
  for (const page of [member, desk]) {
    await page.routeWebSocket(/\/realtime\//, (socket) => socket.close());
    await page.clock.install();
  }
  await member.goto('/community');
  await expect(bell(member, 0)).toBeVisible();
  await submitForReview(person, taskId, { text: 'Flown' });

  await test.step('the founder is notified of a pending proof, and opens it', async () => {
    await desk.goto('/browse');
    await bell(desk, 2).click();
    await expect(panel(desk)).toContainText(`1 proof of “${campaign.title}” is waiting for your decision.`);
    await expectAccessible(desk);
    await expectNoSidewaysScroll(desk);
    await panel(desk)
      .getByRole('link', { name: /1 proof of/ })
      .click();
    await expect(desk).toHaveURL(`/startup/campaigns/${campaign.id}/submissions`);
    await expect(bell(desk, 1)).toBeVisible();
  });

  await test.step('the member is notified of the rejection, and opens the quest from it', async () => {
    await decide(desk, { because: 'Incomplete', words: 'Show the string.' });
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

  await test.step('the founder is notified of the next proof, and the member of its approval', async () => {
    await submitForReview(person, taskId, { text: 'Flown, with the string' });
    await desk.clock.runFor(ONE_POLL_MS);
    await expect(bell(desk, 2)).toBeVisible();
    await decide(desk, 'approve');
    await member.clock.runFor(ONE_POLL_MS);
    await bell(member, 1).click();
    await expect(panel(member)).toContainText('Your proof for “Fly the kite” was accepted. You earned 10 points.');
    await panel(member).getByRole('link', { name: 'See all notifications' }).click();
  });

  await test.step('the page lists both, and marks them as read', async () => {
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

/** The page is subscribed: the server has admitted it to its channel. */
const joined = (page: Page) =>
  page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', {
      predicate: ({ payload }) => String(payload).includes('"postgres_changes"'),
    }),
  );

test('BEY-03 C-88 where Realtime is configured two browsers notify each other within two seconds, from rejection to approval, and the open screens show it', {
  tag: '@alone',
}, async ({ page, context, newBrowser }) => {
  const account = await signUp(context, 'live');
  const person = { id: account.userId, email: account.email };
  const founderContext = await newBrowser();
  const founder = await newFounder(founderContext);
  const { campaign, taskId } = await newQuest(founder, { task: { title: 'Fly the kite' } });
  await submitForReview(person, taskId, { text: 'Flown' });
  const grant = { p_user_id: account.userId, p_points: 100, p_description: 'Grant' };
  await unwrap(asService().rpc('credit_points_safe', grant));
  const admin = await newAdmin();
  // Reviewed by an admin, so that its payments are not held.
  await unwrap(admin.client.rpc('mark_startup_checked', { p_startup_id: founder.startup.id }));
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
  const desk = await founderContext.newPage();
  const deskListening = joined(desk);
  await decide(desk, { because: 'Incomplete', words: 'Show the string.' });
  await Promise.all([
    expect(bell(page, 1)).toBeVisible({ timeout: 2000 }),
    expect(quest).toContainText('Incomplete: Show the string.', { timeout: 2000 }),
  ]);

  await deskListening;
  // Nothing is pending any more: that notification is marked read, the one about the verified project is not.
  await expect(bell(desk, 1)).toBeVisible();
  await submitForReview(person, taskId, { text: 'Flown, with the string' });
  await expect(bell(desk, 2)).toBeVisible({ timeout: 2000 });
  await decide(desk, 'approve');
  await Promise.all([
    expect(bell(page, 2)).toBeVisible({ timeout: 2000 }),
    expect(quest).toContainText('Done', { timeout: 2000 }),
    expect(page.getByRole('banner')).toContainText('80 points', { timeout: 2000 }),
  ]);

  await follow(page, ['/rewards', 'My Rewards']);
  const redeemed = page.getByRole('region', { name: 'Your redemptions' });
  await expect(redeemed).toContainText('Pending');
  await unwrap(admin.client.rpc('set_redemption_status', { p_redemption_id: redemption.id, p_status: 'fulfilled' }));
  await expect(redeemed).toContainText('Fulfilled', { timeout: 2000 });
});
