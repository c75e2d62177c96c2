import { randomUUID } from 'node:crypto';
import { ledgerProblems, newOwner, newQuest, unwrap, walletOf } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { expectInAudit, newBrowserAdmin, openTab, rowWith } from './support/admin.ts';

test("C-94 TRUST-16 TRUST-17 TRUST-23 points of a new project are held until an admin's review, then redeemed, traced and corrected", async ({
  page: member,
  context,
  newBrowser,
}) => {
  const account = await signUp(context, 'earner');
  const adminContext = await newBrowser();
  const admin = await newBrowserAdmin(adminContext);
  const desk = await adminContext.newPage();
  const mark = randomUUID().slice(0, 8);
  const reward = await unwrap(
    admin.client.rpc('save_reward', { p_reward: { title: `Mug ${mark}`, points_cost: 50, stock_quantity: 2 } }),
  );
  const owner = await newOwner(`kite-${mark}`);
  const quest = await newQuest(owner, {
    campaign: { title: `Fly ${mark}` },
    task: { title: `Fly it ${mark}`, reward_points: 60 },
  });
  await unwrap(account.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: `Flown ${mark}` }));
  const card = member.getByRole('listitem').filter({ hasText: reward.title });
  const held = member.getByRole('list', { name: 'Held points' });

  await test.step('the member sees what is held and why, and cannot redeem it', async () => {
    await member.goto('/rewards');
    await expect(member.getByText('60 points in all')).toBeVisible();
    await expect(held).toContainText(`Task completion: Fly it ${mark}`);
    await expect(held).toContainText(/Released once we have reviewed the project, by .* at the latest/);
    await expect(card).toContainText('Enough once your held points are released');
    await card.getByRole('button', { name: 'See details' }).click();
    const dialog = member.getByRole('dialog', { name: 'Redeem Reward' });
    await expect(dialog).toContainText('You have 60 points, but 60 of them are held and cannot be redeemed yet.');
    await expect(dialog.getByRole('button', { name: 'Redeem', exact: true })).toBeDisabled();
    await expectAccessible(member);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expectNoSidewaysScroll(member);
  });

  await test.step('an admin reviews the project', async () => {
    await openTab(desk, 'projects', { q: owner.startup.name });
    await rowWith(desk, owner.startup.name).getByRole('button', { name: 'Mark as checked' }).click();
    const dialog = desk.getByRole('dialog', { name: /as checked/ });
    await dialog.getByRole('button', { name: 'Mark as checked' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(desk, owner.startup.name)).not.toContainText('Not looked at yet');
  });

  await test.step('now they can be redeemed', async () => {
    await member.reload();
    await expect(card.getByRole('button', { name: 'Redeem' })).toBeVisible();
    await expect(held).toHaveCount(0);
    await card.getByRole('button', { name: 'Redeem' }).click();
    const dialog = member.getByRole('dialog', { name: 'Redeem Reward' });
    await dialog.getByRole('button', { name: 'Redeem', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(member.getByText(`Redeemed: ${reward.title}`)).toBeVisible();
  });

  await test.step('the admin sees their source before fulfilling', async () => {
    await openTab(desk, 'redemptions', { q: account.email });
    await rowWith(desk, reward.title).getByRole('button', { name: 'Fulfil' }).click();
    const dialog = desk.getByRole('dialog', { name: `Fulfil “${reward.title}”?` });
    const sources = dialog.getByRole('region', { name: 'Where the points came from' });
    await expect(sources).toContainText(`Fly ${mark} · ${owner.startup.name}`);
    await expect(sources).toContainText('50 from trial budgets');
    await expectAccessible(desk);
    await expectNoSidewaysScroll(desk);
    await dialog.getByRole('button', { name: 'Fulfil redemption' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('and compensates lost points, with a reason that the member sees', async () => {
    await desk.goto(`/admin?${new URLSearchParams({ tab: 'people', person: account.userId })}`);
    await desk.getByRole('button', { name: 'Correct points' }).click();
    const dialog = desk.getByRole('dialog', { name: /Correct the points/ });
    await dialog.getByLabel('Points').fill('25');
    await dialog.getByLabel('Reason').fill(`Lost by a fault ${mark}`);
    await expectAccessible(desk);
    await dialog.getByRole('button', { name: 'Give 25 points' }).click();
    await expect(dialog).toBeHidden();
    await expect(desk.getByText(/Transfer \d+ is written/)).toBeVisible();
    await member.reload();
    await expect(member.getByText(`Correction: Lost by a fault ${mark}`)).toBeVisible();
    await expect(member.getByRole('banner')).toContainText(/\D35 points/);
  });

  expect(await walletOf(account.userId)).toEqual({ points: 35, lifetime: 85 });
  expect(await ledgerProblems()).toEqual([]);
  await expectInAudit(
    desk,
    admin,
    { action: 'startup.check', subject: owner.startup.id },
    { action: 'wallet.adjust', subject: '', texts: [`Lost by a fault ${mark}`] },
  );
});
