import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { asService } from '../local/testing/clients.ts';
import { ledgerProblems, unwrap, walletOf } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { newBrowserAdmin, openTab, rowWith } from './support/admin.ts';
import { atPhoneWidths } from './support/phones.ts';

async function expectRoomOnPhones(page: Page): Promise<void> {
  const sizes = await atPhoneWidths(
    page,
    ({ documentElement }) => documentElement.scrollWidth - documentElement.clientWidth,
  );
  expect(sizes.filter(({ seen }) => seen > 0)).toEqual([]);
}

test('C-93 BEY-16 a code, a parcel and a mail are redeemed on the phone and processed by an admin', async ({
  page,
  context,
  newBrowser,
}) => {
  const adminContext = await newBrowser();
  const admin = await newBrowserAdmin(adminContext);
  const account = await signUp(context, 'recipient');
  const grant = { p_user_id: account.userId, p_points: 200, p_description: 'Grant' };
  await unwrap(asService().rpc('credit_points_safe', grant));
  const mark = randomUUID().slice(0, 8);
  const newReward = async (title: string, delivery: string) =>
    unwrap(admin.client.rpc('save_reward', { p_reward: { title: `${title} ${mark}`, points_cost: 30, delivery } }));
  const voucher = await newReward('Voucher', 'code');
  await newReward('Mug', 'post');
  await newReward('Letter', 'mail');
  const code = `CODE-${mark}`;
  await unwrap(admin.client.rpc('add_reward_codes', { p_reward_id: voucher.id, p_codes: [code] }));
  const dialog = page.getByRole('dialog', { name: 'Redeem Reward' });
  const open = async (title: string) => {
    await page.getByRole('button', { name: `Redeem ${title} ${mark}` }).click();
    await expect(dialog).toBeVisible();
  };
  const line = (title: string) =>
    page
      .getByRole('region', { name: 'Your redemptions' })
      .getByRole('listitem')
      .filter({ hasText: `${title} ${mark}` });

  await test.step('a code is there at once, and again after a reload', async () => {
    await page.goto('/rewards');
    await open('Voucher');
    await dialog.getByRole('button', { name: 'Redeem' }).click();
    await expect(dialog.getByText(code)).toBeVisible();
    await expectRoomOnPhones(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await expect(line('Voucher')).toContainText('Fulfilled');
    await line('Voucher').getByRole('button', { name: 'Show code' }).click();
    await expect(line('Voucher')).toContainText(code);
    await expect(
      page.getByRole('listitem').filter({ hasText: 'Out of stock' }).filter({ hasText: mark }),
    ).toBeVisible();
  });

  await test.step('a posted reward asks for an address, and says what is missing', async () => {
    await open('Mug');
    await dialog.getByRole('button', { name: 'Redeem' }).click();
    await expect(dialog.getByText('Please enter a street and number')).toBeVisible();
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await expectAccessible(page);
    await expectRoomOnPhones(page);
    await dialog.getByLabel('Name').fill('Robin Reed');
    await dialog.getByLabel('Street and number').fill(`1 Lantern Street ${mark}`);
    await dialog.getByLabel('Town or city').fill('Brookhaven');
    await dialog.getByLabel('Country').selectOption({ label: 'Ireland' });
    await dialog.getByRole('button', { name: 'Redeem' }).click();
    await expect(dialog).toBeHidden();
    await expect(line('Mug')).toContainText('We are packing it for you.');
    // A toast stays while the pointer is on it, and would cover the button of the next dialog.
    await page.mouse.move(0, 0);
    await expect(page.getByText(`Mug ${mark} is yours`)).toBeHidden();
  });

  await test.step('a mailed reward needs nothing more', async () => {
    await open('Letter');
    await expect(dialog).toContainText('It comes by email, to the address of your account.');
    await dialog.getByRole('button', { name: 'Redeem' }).click();
    await expect(dialog).toBeHidden();
    await expect(line('Letter')).toContainText('We are preparing your email.');
    expect(await walletOf(account.userId)).toMatchObject({ points: 110 });
    await expectRoomOnPhones(page);
  });

  await test.step('the admin sees the address in the queue and fulfils both in one call', async () => {
    const desk = await adminContext.newPage();
    await openTab(desk, 'redemptions', { q: account.email });
    await expect(rowWith(desk, `Mug ${mark}`)).toContainText(`1 Lantern Street ${mark}`);
    await expect(rowWith(desk, `Voucher ${mark}`)).toContainText('Seen by the member');
    await expectAccessible(desk);
    await expectRoomOnPhones(desk);
    await desk.getByRole('checkbox', { name: 'Select all that are not flagged' }).check();
    await desk.getByRole('button', { name: 'Fulfil 2 redemptions' }).click();
    const batch = desk.getByRole('dialog', { name: 'Fulfil 2 redemptions?' });
    await batch.getByLabel('Note to the members').fill('Sent today');
    await batch.getByRole('button', { name: 'Fulfil redemptions' }).click();
    await expect(batch).toBeHidden();
    await expect(rowWith(desk, `Mug ${mark}`)).toContainText('Fulfilled');
    await expect(rowWith(desk, `Letter ${mark}`)).toContainText('Fulfilled');
  });

  await test.step('the member sees it, and each payment in the history; the ledger balances', async () => {
    await page.reload();
    await expect(line('Mug')).toContainText('Sent today');
    await page.getByRole('link', { name: 'Full history' }).click();
    await expect(page.getByRole('list', { name: 'All transactions' }).getByRole('listitem')).toHaveCount(4);
    await expectRoomOnPhones(page);
    expect(await ledgerProblems()).toEqual([]);
  });
});

test('ADMIN-01 at 1280 px the actions of a redemption fit one line, and the focus ring of an admin tab is not cut off', {
  tag: '@desktop',
}, async ({ page, context, newBrowser }) => {
  const memberContext = await newBrowser();
  const admin = await newBrowserAdmin(context);
  const account = await signUp(memberContext, 'waiting');
  const grant = { p_user_id: account.userId, p_points: 50, p_description: 'Grant' };
  await unwrap(asService().rpc('credit_points_safe', grant));
  const p_reward = { title: `Mug ${randomUUID().slice(0, 8)}`, points_cost: 30, delivery: 'post' };
  const reward = await unwrap(admin.client.rpc('save_reward', { p_reward }));
  const p_address = { name: 'Robin Reed', street: '1 Lantern Street', city: 'Brookhaven', country: 'IE' };
  const order = { p_reward_id: reward.id, p_idempotency_key: randomUUID(), p_address };
  await unwrap(account.client.rpc('redeem_reward_safe', order));
  await openTab(page, 'redemptions', { q: account.email });
  const row = rowWith(page, p_reward.title);
  const actions = row.getByRole('button', { name: /^(Fulfil|Cancel)$/ });
  await expect(actions).toHaveCount(2);
  // Both at one moment: what loads above the list may move it between two questions.
  const tops = await actions.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(tops[0]).toBe(tops[1]);
  await expectNoSidewaysScroll(page);
  const table = page.locator('.scroll-x:has(table)');
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);

  const tab = page.getByRole('tab', { name: /^Projects/ });
  const ring = () =>
    page.evaluate(() => {
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(document.activeElement ?? document.body);
      return { isTab: document.activeElement?.role === 'tab', outlineStyle, outlineWidth, outlineOffset };
    });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  // The focus moves a moment after the key. Inside the tab, where the scrolling column cannot cut it off.
  const inside = { isTab: true, outlineStyle: 'solid', outlineWidth: '3px', outlineOffset: '-3px' };
  await expect.poll(ring).toEqual(inside);
});
