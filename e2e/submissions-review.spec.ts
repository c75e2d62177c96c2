import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { ledgerProblems, newMember, newQuest, projectPoints, unwrap } from '../supabase/tests/support/factories.ts';
import { fillQuest } from '../supabase/tests/support/many-submissions.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';
import { submitForReview } from './support/outside-beta.ts';

const REASON = 'The link leads to an empty page.';
const address = (campaignId: string) => `/startup/campaigns/${campaignId}/submissions`;
const stamps = (page: Page, status: string) => page.locator('[data-row]').getByText(status, { exact: true });
const selectAll = (page: Page, count: number) =>
  page.getByRole('checkbox', { name: `Select ${count} pending submissions` });
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

/** How many of a quest's submissions are in each state, from the database. */
async function statesOf(campaignId: string): Promise<Record<string, number>> {
  const { rows } = await sql().query<{ status: string; count: number }>(
    'select status, count(*)::integer as count from public.submissions where campaign_id = $1 group by status',
    [campaignId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** A quest of a new founder with pending submissions of several members. */
async function waitingQuest(context: Parameters<typeof newFounder>[0], count: number) {
  const founder = await newFounder(context);
  const { campaign, taskId } = await newQuest(founder, { task: { max_completions: count, auto_verify: false } });
  const members = await Promise.all(Array.from({ length: count }, () => newMember()));
  const submissions: string[] = [];
  for (const [index, member] of members.entries())
    submissions.push(await submitForReview(member, taskId, { url: `https://blog.example/${index}` }));
  return { founder, campaign, members, submissions };
}

test('SUBM-09 RULE-07 an owner reviews sixteen submissions by keyboard alone', { tag: '@desktop' }, async ({
  page,
  context,
}) => {
  const { founder, campaign } = await waitingQuest(context, 16);
  const before = await projectPoints(founder.startup.id, campaign.id);
  await page.goto(address(campaign.id));
  await expect(stamps(page, 'Pending')).toHaveCount(16);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await test.step('the help lists the keys', async () => {
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help).toContainText('Approve it, or all selected ones');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
  });

  await test.step('the first is rejected with a reason, the second approved, the third undone', async () => {
    const row = (index: number) => page.locator('[data-row]').nth(index);
    await page.keyboard.press('j');
    await expect(row(0).getByRole('checkbox')).toBeFocused();
    await page.keyboard.press('r');
    await expect(page.getByRole('radio').first()).toBeFocused();
    await page.keyboard.press('2');
    await page.keyboard.press('Tab');
    await page.keyboard.type(REASON);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(row(1).getByRole('checkbox')).toBeFocused();
    await page.keyboard.press('a');
    await expect(row(2).getByRole('checkbox')).toBeFocused();
    await page.keyboard.press('a');
    await expect(row(3).getByRole('checkbox')).toBeFocused();
    await page.keyboard.press('u');
    await expect(row(2).getByText('Pending', { exact: true })).toBeVisible();
    await expect.poll(() => statesOf(campaign.id)).toEqual({ pending: 14, approved: 1, rejected: 1 });
  });

  await test.step('two more individually, the other twelve together', async () => {
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect(page.getByText('2 selected')).toBeVisible();
    await page.keyboard.press('a');
    await expect(stamps(page, 'Approved')).toHaveCount(3);
    await selectAll(page, 12).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('12 selected')).toBeVisible();
    // High enough for the whole page, so that neither the bar nor the header covers anything.
    await page.setViewportSize({ width: 1280, height: 1800 });
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.keyboard.press('a');
    await expect(page.getByText('12 submissions approved')).toBeVisible();
    await expect(stamps(page, 'Pending')).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  });

  await test.step('every one of them is paid once', async () => {
    await expect.poll(() => statesOf(campaign.id)).toEqual({ approved: 15, rejected: 1 });
    const after = await projectPoints(founder.startup.id, campaign.id);
    expect(before.free + before.reserved - after.free - after.reserved).toBe(150);
    const rejected = founder.client.from('submissions').select('review_note').eq('status', 'rejected');
    expect(await unwrap(rejected.eq('campaign_id', campaign.id))).toEqual([{ review_note: REASON }]);
    await page.reload();
    await expect(stamps(page, 'Approved')).toHaveCount(15);
    expect(await ledgerProblems()).toEqual([]);
  });
});

test('SUBM-09 bulk decisions: Undo moves no point, and leaving the page loses no decision', async ({
  page,
  context,
}) => {
  const { founder, campaign, submissions } = await waitingQuest(context, 6);
  // On phones one proof at a time comes first.
  const table = `${address(campaign.id)}?view=table`;
  const decide = (name: 'Approve selected' | 'Reject selected') => page.getByRole('button', { name }).click();
  await page.clock.install();
  await page.goto(table);

  await test.step('Undo', async () => {
    await selectAll(page, 6).check();
    await decide('Approve selected');
    await expect(stamps(page, 'Approved')).toHaveCount(6);
    await expectNoSidewaysScroll(page);
    await undo(page).click();
    await expect(stamps(page, 'Pending')).toHaveCount(6);
    await expect(page.getByText('6 selected')).toBeVisible();
    // After Undo nothing is sent, neither when its period ends nor on leaving.
    await page.clock.fastForward(7000);
    await page.reload();
    await expect(stamps(page, 'Pending')).toHaveCount(6);
    expect(await statesOf(campaign.id)).toEqual({ pending: 6 });
  });

  await test.step('one is reviewed elsewhere meanwhile: this is reported, and the others are approved', async () => {
    for (const index of [0, 1]) await page.locator('[data-row]').nth(index).getByRole('checkbox').check();
    await decide('Approve selected');
    await unwrap(
      founder.client.rpc('review_submission', {
        p_submission_id: submissions[0] ?? '',
        p_decision: 'reject',
        p_reason: 'duplicate',
      }),
    );
    await page.clock.fastForward(7000);
    await expect(page.getByText('1 approved, 1 failed: This submission has already been reviewed')).toBeVisible();
    await expect(stamps(page, 'Approved')).toHaveCount(1);
    await expect(stamps(page, 'Rejected')).toHaveCount(1);
    expect(await statesOf(campaign.id)).toEqual({ pending: 4, approved: 1, rejected: 1 });
  });

  await test.step('leaving for another page of the app', async () => {
    // Pending ones come first.
    for (const index of [0, 1]) await page.locator('[data-row]').nth(index).getByRole('checkbox').check();
    await decide('Reject selected');
    await page.getByRole('radio', { name: 'Cannot be opened or read' }).check();
    await page.getByLabel('Note (optional)').fill(REASON);
    await page.getByRole('button', { name: 'Reject submission' }).click();
    await expect(undo(page)).toBeVisible();
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect.poll(() => statesOf(campaign.id)).toEqual({ pending: 2, approved: 1, rejected: 3 });
  });

  await test.step('leaving the app', async () => {
    await page.goto(table);
    await selectAll(page, 2).check();
    await decide('Approve selected');
    await expect(undo(page)).toBeVisible();
    await page.goto('about:blank');
    await expect.poll(() => statesOf(campaign.id)).toEqual({ approved: 3, rejected: 3 });
  });
  expect(await ledgerProblems()).toEqual([]);
});

test('SUBM-04 SUBM-05 SUBM-06 filter and sort are in the address and work beyond the first hundred', {
  tag: '@phone',
}, async ({ page, context }) => {
  const founder = await newFounder(context);
  const { campaign } = await newQuest(founder);
  await fillQuest(campaign.id, {
    tasks: 2,
    rows: 240,
    status: "case when n < 3 then 'approved' when n % 40 = 20 then 'pending' else 'rejected' end",
    userId: "'pool-' || lpad(n::text, 3, '0')",
  });
  await page.goto(`${address(campaign.id)}?view=table&sort=newest`);
  const rows = page.locator('[data-row]');
  await expect(rows).toHaveCount(100);

  await test.step('order', async () => {
    // Through the column heading where there is one, and through a field on phones.
    const phone = page.viewportSize();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').click();
    await expect(page).toHaveURL(/\?view=table$/);
    await expect(stamps(page, 'Pending')).toHaveCount(6);
    await expectNoSidewaysScroll(page);
    if (phone) await page.setViewportSize(phone);
    await page.getByLabel('Sort by').selectOption('newest');
    await expect(page).toHaveURL(/sort=newest/);
    await page.getByLabel('Sort by').selectOption('status');
    await expect(page).toHaveURL(/\?view=table$/);
    await expect(stamps(page, 'Pending')).toHaveCount(6);
    for (const index of [0, 5]) await expect(rows.nth(index).getByText('Pending', { exact: true })).toBeVisible();
    await expect(rows.nth(6).getByText('Approved', { exact: true })).toBeVisible();
    await page.reload();
    await expect(stamps(page, 'Pending')).toHaveCount(6);

    await page.goto(`${address(campaign.id)}?view=table&sort=-member`);
    // Members without a profile have no name; they are sorted by id.
    await expect(rows.first().getByTitle('pool-239')).toBeVisible();
    for (const count of [200, 240]) {
      await page.getByRole('button', { name: 'Show more submissions' }).click();
      await expect(rows).toHaveCount(count);
    }
    const members = await rows.evaluateAll((list) =>
      list.map((row) => row.querySelector('[title^="pool-"]')?.getAttribute('title')),
    );
    expect(members).toEqual(Array.from({ length: 240 }, (_, n) => `pool-${String(239 - n).padStart(3, '0')}`));
    await expectNoSidewaysScroll(page);
  });

  await test.step('filter', async () => {
    const bar = page.getByRole('group', { name: 'Filter by Task' });
    await expect(bar.getByRole('button', { name: 'All Tasks (240)' })).toHaveAttribute('aria-pressed', 'true');
    await bar.getByRole('button', { name: 'Extra task 2 (120)' }).click();
    await expect(page).toHaveURL(/task=/);
    await expect(rows).toHaveCount(100);
    await expect(rows.filter({ hasText: 'Extra task 1' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Show more submissions' }).click();
    await expect(rows).toHaveCount(120);
    await bar.getByRole('button', { name: 'Try the product (0)' }).click();
    await expect(page.getByText('No submissions for this task')).toBeVisible();
    await expectAccessible(page);
  });
});
