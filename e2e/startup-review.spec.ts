import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ledgerProblems, newMember, newQuest, walletOf } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { readQuotedCsv } from './support/csv.ts';
import { newFounder } from './support/founder.ts';
import { submitForReview } from './support/outside-beta.ts';

const HEADER = [
  ...['Submission ID', 'Task Title', 'Task Points', 'User ID', 'Participant Email', 'Proof Type', 'Proof Content'],
  ...['Proof URL', 'Status', 'Review Note', 'Submitted Date', 'Reviewed Date', 'Reviewed By'],
];
/** A formula with everything that could break the format. */
const TRICKY = '=HYPERLINK("https://evil.example","press")\nsecond line, "quoted"';
const REASON = 'The link leads to an empty page.';

/** Presses Tab until a button with this name is focused, as a keyboard user would. */
async function tabTo(page: Page, name: string) {
  const focused = page.locator(':focus');
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.getByRole('button', { name, exact: true }).and(focused).count()) === 1) return;
  }
  throw new Error(`No button "${name}" within 60 presses of Tab.`);
}

test('C-08 C-92 an owner reviews eight submissions by keyboard; a rejected member tries again', {
  tag: '@desktop',
}, async ({ page: owner, context, newBrowser }) => {
  const founder = await newFounder(context);
  const { campaign, taskId } = await newQuest(founder, {
    campaign: { title: 'Review: Kites & more', collect_emails: true },
    task: { max_completions: 20, auto_verify: false },
  });
  const memberContext = await newBrowser();
  const member = await memberContext.newPage();
  const retrier = await signUp(memberContext, 'retrier');
  const empty = { url: 'https://blog.example/empty' };

  await test.step('eight members submit', async () => {
    await submitForReview(await newMember(), taskId, { text: TRICKY });
    for (let count = 2; count < 8; count += 1)
      await submitForReview(await newMember(), taskId, { url: `https://blog.example/${count}` });
    await submitForReview({ id: retrier.userId, email: retrier.email }, taskId, empty);
  });

  await test.step('the owner rejects the newest with a reason, sorted to the top', async () => {
    await owner.goto(`/startup/campaigns/${campaign.id}/submissions?sort=newest`);
    await expect(owner.getByRole('button', { name: 'Approve' })).toHaveCount(8);
    await expect(owner.getByText(retrier.userId)).toHaveCount(0);
    await expect(owner.getByText('Filter by Task')).toHaveCount(0);
    await expectAccessible(owner);
    await expectNoSidewaysScroll(owner);
    await tabTo(owner, 'Reject');
    await owner.keyboard.press('Enter');
    const dialog = owner.getByRole('dialog', { name: 'Reject 1 submission' });
    await expect(dialog.getByRole('radio').first()).toBeFocused();
    await expectAccessible(owner);
    await owner.keyboard.press('2');
    await expect(dialog.getByRole('radio', { name: 'Cannot be opened or read' })).toBeChecked();
    await owner.keyboard.press('Tab');
    await owner.keyboard.type(REASON);
    await tabTo(owner, 'Reject submission');
    await owner.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(owner.getByText('Rejected', { exact: true })).toHaveCount(1);
  });

  await test.step('the next one, which has the focus, without a note', async () => {
    await expect(owner.getByRole('button', { name: 'Reject' }).and(owner.locator(':focus'))).toHaveCount(1);
    await owner.keyboard.press('Enter');
    await expect(owner.getByRole('radio').first()).toBeFocused();
    await owner.keyboard.press('4');
    await owner.keyboard.press('Enter');
    await expect(owner.getByText('Rejected', { exact: true })).toHaveCount(2);
    await expect(owner.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('and approves the other six', async () => {
    await tabTo(owner, 'Approve');
    // The focus moves to the next one by itself, a moment after the row has changed.
    for (let left = 6; left > 0; left -= 1) {
      await expect(owner.getByRole('button', { name: 'Approve' }).and(owner.locator(':focus'))).toHaveCount(1);
      await owner.keyboard.press('Enter');
      await expect(owner.getByRole('button', { name: 'Approve' })).toHaveCount(left - 1);
    }
    await expect(owner.locator('[data-row]').getByText('Approved', { exact: true })).toHaveCount(6);
    // Leaving sends the last one, too.
    await owner.getByRole('link', { name: 'Back to Dashboard' }).click();
    await owner.goto(`/startup/campaigns/${campaign.id}/submissions?sort=newest`);
    await expect(owner.locator('[data-row]').getByText('Approved', { exact: true })).toHaveCount(6);
  });

  await test.step('the rejected member sees the reason and resubmits', async () => {
    await member.goto(`/community/quest/${campaign.id}`);
    await expect(member.getByText('Try Again', { exact: true })).toBeVisible();
    await expect(member.getByText(REASON)).toBeVisible();
    await member.getByRole('button', { name: 'Submit New Proof' }).click();
    const dialog = member.getByRole('dialog', { name: 'Link Proof' });
    await dialog
      .getByLabel(/URL|link/i)
      .first()
      .fill('https://blog.example/better');
    await dialog.getByLabel(/email/i).selectOption(retrier.email);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog).toBeHidden();
    // Beta approves it at once.
    await expect(member.getByText('Quest Complete').first()).toBeVisible();
    expect(await walletOf(retrier.userId)).toMatchObject({ points: 10 });
  });

  await test.step('the owner reads the new proof, once and without a decision to make', async () => {
    await owner.reload();
    await expect(owner.getByText('Rejected', { exact: true })).toHaveCount(1);
    await expect(owner.locator('[data-row]').first()).toContainText('Auto-approved (Beta)');
    await expect(owner.getByText('Auto-approved (Beta)')).toHaveCount(1);
    await owner.getByRole('button', { name: 'View', exact: true }).first().click();
    const dialog = owner.getByRole('dialog', { name: 'Submission Details' });
    await expect(dialog.getByRole('link', { name: 'https://blog.example/better' })).toHaveAttribute('target', '_blank');
    await expect(dialog.getByRole('button', { name: 'Approve' })).toHaveCount(0);
    await owner.keyboard.press('Escape');
  });

  await test.step('and exports them all, readable and without formulas', async () => {
    const [download] = await Promise.all([
      owner.waitForEvent('download'),
      owner.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^quest_submissions_Review__Kites___more_\d{4}-\d{2}-\d{2}\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    const [header, ...rows] = readQuotedCsv(text.replace(/^\uFEFF/, ''));
    expect(header).toEqual(HEADER);
    expect(rows).toHaveLength(8);
    const records = rows.map((row) => Object.fromEntries(HEADER.map((name, index) => [name, row[index]])));
    const facts = { 'Task Title': 'Try the product', 'Task Points': '10' };
    for (const record of records) expect(record).toMatchObject(facts);
    for (const record of records.slice(1)) expect(record['Reviewed By']).toBe('the project');
    const approved = { Status: 'approved', 'Review Note': 'Approved by project owner' };
    expect(records.filter(({ Status }) => Status === 'approved')).toHaveLength(7);
    expect(records[1]).toMatchObject({ Status: 'rejected', 'Review Note': 'Incomplete' });
    expect(records[0]).toMatchObject({
      Status: 'approved',
      'User ID': retrier.userId,
      'Participant Email': retrier.email,
      'Proof Type': 'URL',
      'Proof URL': 'https://blog.example/better',
    });
    expect(records.at(-1)).toMatchObject({
      ...approved,
      'Proof Type': 'Text',
      'Proof Content': `'${TRICKY}`,
      'Proof URL': '',
    });
  });

  expect(await ledgerProblems()).toEqual([]);
});
