import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { must, newOwner, newQuest, withSettings } from '../supabase/tests/support/world.ts';
import { CHANGES_SETTINGS, expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { expectInAudit, newBrowser, newBrowserAdmin, openTab } from './support/admin.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Save settings' });

/** Changes the switch of beta mode, which asks for confirmation. */
async function switchBeta(page: Page, change: 'on → off' | 'off → on') {
  await page.getByRole('checkbox', { name: 'Beta mode' }).click();
  await save(page).click();
  const dialog = page.getByRole('alertdialog', { name: 'Change these settings?' });
  await expect(dialog).toContainText(`Beta mode: ${change}`);
  await expect(dialog).toContainText('Beta mode decides whether people review proofs and projects.');
  return dialog;
}

test('ADMIN-12 C-22 settings take effect for members: a harmless one at once, a dangerous one after asking', {
  tag: CHANGES_SETTINGS,
}, async ({ page, context, browser }) => {
  test.setTimeout(240_000);
  const admin = await newBrowserAdmin(context);
  const memberContext = await newBrowser(browser);
  const account = await signUp(memberContext, 'member');
  const member = await memberContext.newPage();
  const [first, second] = [await newQuest(await newOwner()), await newQuest(await newOwner())];
  const statusOf = async (taskId: string) =>
    must(account.client.rpc('submit_proof', { p_task_id: taskId, p_url: 'https://blog.example/mine' })).then(
      ({ status }) => status,
    );

  // Whatever happens to this test, the others find the settings as they were.
  await withSettings({ beta_mode: true, og_original_price_cents: 29_700 }, async () => {
    await test.step('harmless: the price before', async () => {
      await openTab(page, 'settings');
      const price = page.getByLabel('Price before, in US$');
      await price.fill('x');
      await expect(page.getByText('Please enter an amount such as 99 or 4.50')).toBeVisible();
      await price.fill('350');
      await expect(page.getByText('1 unsaved change')).toBeVisible();
      await save(page).click();
      await expect(page.getByText('Settings saved')).toBeVisible();
      await member.goto('/startup/subscribe');
      await expect(member.getByText('$350')).toBeVisible();
      await price.fill('297');
      await save(page).click();
      await expect(page.getByText('1 unsaved change')).toHaveCount(0);
      await member.reload();
      await expect(member.getByText('$297')).toBeVisible();
    });

    await test.step('dangerous: beta mode off, after saying what it means', async () => {
      const dialog = await switchBeta(page, 'on → off');
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await save(page).click();
      await dialog.getByRole('button', { name: 'Change settings' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('checkbox', { name: 'Beta mode' })).not.toBeChecked();
      expect(await statusOf(first.taskId)).toBe('pending');
      await member.goto(`/community/quest/${first.campaign.id}`);
      await expect(member.getByText('Processing', { exact: true })).toBeVisible();
    });

    await test.step('and on again', async () => {
      const dialog = await switchBeta(page, 'off → on');
      await dialog.getByRole('button', { name: 'Change settings' }).click();
      await expect(dialog).toBeHidden();
      expect(await statusOf(second.taskId)).toBe('approved');
      await member.goto(`/community/quest/${second.campaign.id}`);
      await expect(member.getByText('Completed', { exact: true }).first()).toBeVisible();
    });
  });

  const subject = 'settings';
  await expectInAudit(page, { admin, action: 'settings: update', subject, texts: ['beta_mode: false → true'] });
  await memberContext.close();
});

test('ADMIN-12 C-54 every part of the system is measured, and measured again', async ({ page, context }) => {
  await newBrowserAdmin(context);
  await openTab(page, 'settings');
  const parts = ['Database', 'Storage', 'Authentication', 'Email Service', 'Analytics'];
  const lines = page.getByRole('listitem').filter({ hasText: /Working|Failing/ });
  const measured = async () => {
    await expect(lines).toHaveCount(parts.length);
    for (const part of parts)
      await expect(lines.filter({ hasText: new RegExp(`^${part}`) })).toContainText(/· \d+ ms\s*Working/);
  };
  await measured();
  await expect(lines.first()).toContainText(/PostgreSQL 17/);
  const again = page.getByRole('button', { name: 'Measure again' });
  const [roundTrip] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().includes('/object/site/health/')),
    again.click(),
  ]);
  expect((await roundTrip.response())?.ok()).toBe(true);
  await measured();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('ADMIN-12 C-54 TRUST-01 each quick action does what it says and shows what came of it', async ({
  page,
  context,
}) => {
  test.setTimeout(180_000);
  const admin = await newBrowserAdmin(context);
  const { campaign } = await newQuest(await newOwner());
  await openTab(page, 'settings');
  const result = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('button', { name }) });
  const run = (name: string) => page.getByRole('button', { name, exact: true }).click();

  await run('Clear Cache');
  await expect(result('Clear Cache')).toContainText(/The figures are counted anew.*\d+ members, \d+ active quests/s);
  await run('Security Scan');
  await expect(result('Security Scan')).toContainText('Nothing found');
  await run('Reconcile ledger');
  await expect(result('Reconcile ledger')).toContainText('The books are right');

  await run('Update Sitemap');
  await expect(result('Update Sitemap')).toContainText(/Sitemap written with \d+ quest and project pages/);
  const address = await page.getByRole('link', { name: 'Open the sitemap' }).getAttribute('href');
  const sitemap = await (await context.request.get(address ?? '')).text();
  expect(sitemap).toContain(`/quest/${campaign.id}</loc>`);

  const [download] = await Promise.all([page.waitForEvent('download'), run('Backup Database')]);
  expect(download.suggestedFilename()).toMatch(/^questboard_backup_\d{4}-\d{2}-\d{2}\.json$/);
  const backup: { tables: Record<string, { id: string }[]> } = JSON.parse(
    await readFile(await download.path(), 'utf8'),
  );
  expect(backup.tables.campaigns?.map(({ id }) => id)).toContain(campaign.id);
  expect(Object.keys(backup.tables)).toEqual(expect.arrayContaining(['user_profiles', 'transactions', 'audit_log']));
  await expect(result('Backup Database')).toContainText('Backup downloaded');

  await expectInAudit(page, { admin, action: 'backup: start', subject: 'database' });
  await expectInAudit(page, { admin, action: 'site stats: rebuild', subject: 'cache' });
});
