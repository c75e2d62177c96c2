import type { Page } from '@playwright/test';
import { asAnon } from '../local/testing/clients.ts';
import { newOwner, newQuest, unwrap, withSettings } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, signUp, test } from './fixtures.ts';
import { expectInAudit, newBrowserAdmin, openTab } from './support/admin.ts';
import { newFounder } from './support/founder.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Save settings' });

/** Toggles beta mode, which asks for confirmation. */
async function switchBeta(page: Page, change: 'on → off' | 'off → on') {
  await page.getByRole('checkbox', { name: 'Beta mode' }).click();
  await save(page).click();
  const dialog = page.getByRole('alertdialog', { name: 'Change these settings?' });
  await expect(dialog).toContainText(`Beta mode: ${change}`);
  await expect(dialog).toContainText('Beta mode decides whether people review proofs and projects.');
  return dialog;
}

test('ADMIN-12 C-22 settings take effect for members: a harmless one at once, a dangerous one after confirmation', {
  tag: '@alone',
}, async ({ page, context, newBrowser }) => {
  const admin = await newBrowserAdmin(context);
  const memberContext = await newBrowser();
  const account = await signUp(memberContext, 'member');
  const member = await memberContext.newPage();
  const [first, second] = [await newQuest(await newOwner()), await newQuest(await newOwner())];
  const statusOf = async (taskId: string) =>
    unwrap(account.client.rpc('submit_proof', { p_task_id: taskId, p_url: 'https://blog.example/mine' })).then(
      ({ status }) => status,
    );

  await withSettings({ beta_mode: true, og_original_price_cents: 29_700 }, async () => {
    await test.step('harmless: the previous price', async () => {
      await openTab(page, 'settings');
      const price = page.getByLabel('Previous price, in US$');
      await price.fill('x');
      await expect(page.getByText('Please enter an amount such as 99 or 4.50')).toBeVisible();
      await price.fill('350');
      await expect(page.getByText('1 unsaved change')).toBeVisible();
      await save(page).click();
      await expect(page.getByText('Settings saved')).toBeVisible();
      await member.goto('/startup/subscribe');
      await expect(member.getByText('$350')).toBeVisible();
    });

    await test.step('dangerous: beta mode off, after stating the consequence', async () => {
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
  await expectInAudit(page, admin, { action: 'settings.update', subject, texts: ['Beta mode: no → yes'] });
});

const SUBSCRIBE = '/startup/subscribe?plan=og_lifetime';
const subscribeButton = (page: Page) => page.getByRole('button', { name: 'Get OG Lifetime Access for $99' });

test('SUBS-02 SUBS-06 without a free slot nobody can pay, not even from a stale page', {
  tag: '@alone',
}, async ({ page, context, newBrowser, expectedErrors }) => {
  expectedErrors.push(/status of 409 .*create-checkout-session/);
  await newFounder(context);
  await page.goto(SUBSCRIBE);
  await expect(subscribeButton(page)).toBeEnabled();

  const [slots] = await unwrap(asAnon().rpc('get_og_slots'));
  const taken = (slots?.total_slots ?? 0) - (slots?.remaining_slots ?? 0);
  await expect(page.getByText(`${slots?.remaining_slots} of ${slots?.total_slots} slots left`).first()).toBeVisible();
  await withSettings({ og_slots: taken }, async () => {
    await subscribeButton(page).click();
    await expect(page.getByText('Failed to create checkout session: Sold Out')).toBeVisible();
    await expect(page).toHaveURL(/\/startup\/subscribe/);

    const later = await newBrowser();
    await newFounder(later, 'late');
    const latePage = await later.newPage();
    await latePage.goto(SUBSCRIBE);
    await expect(latePage.getByRole('button', { name: 'Sold Out' })).toBeDisabled();
  });
});
