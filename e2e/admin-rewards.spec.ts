import { randomUUID } from 'node:crypto';
import { asService } from '../local/testing/clients.ts';
import { ledgerProblems, refusal, unwrap, walletOf } from '../supabase/tests/support/factories.ts';
import { type Account, expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { expectInAudit, newBrowserAdmin, openTab, rowWith } from './support/admin.ts';
import { clippedFocusRings } from './support/focus-rings.ts';
import { PNG } from './support/pictures.ts';

const grant = (member: Account, points: number) =>
  unwrap(asService().rpc('credit_points_safe', { p_user_id: member.userId, p_points: points, p_description: 'Grant' }));

test('SEC-10 C-45 a reward is created with an image, edited, hidden and deleted, and members see each change', async ({
  page,
  context,
  newBrowser,
}) => {
  const admin = await newBrowserAdmin(context);
  const memberContext = await newBrowser();
  await grant(await signUp(memberContext, 'collector'), 60);
  const member = await memberContext.newPage();
  const title = `Enamel pin ${randomUUID().slice(0, 8)}`;
  const card = member.getByRole('listitem').filter({ hasText: title });

  await test.step('created: missing fields are named, the image is uploaded', async () => {
    const panel = await openTab(page, 'rewards');
    await panel.getByRole('button', { name: 'New reward' }).click();
    const dialog = page.getByRole('dialog', { name: 'New reward' });
    await dialog.getByRole('button', { name: 'Create reward' }).click();
    await expect(dialog.getByText('Please enter a reward title')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('Title').fill(title);
    await dialog.getByLabel('Cost in points').fill('50');
    await dialog.getByLabel('Stock').fill('3');
    await dialog.locator('input[type=file]').setInputFiles({ name: 'pin.png', mimeType: 'image/png', buffer: PNG });
    await dialog.getByRole('button', { name: 'Create reward' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(page, title)).toContainText('50 points');
    await member.goto('/rewards');
    await expect(card).toContainText('50 points');
    const picture = card.locator('img');
    await expect(picture).toHaveAttribute('src', /\/storage\/v1\/object\/public\/reward-images\//);
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(2);
  });

  await test.step('made more expensive and scarce: the member can no longer afford it', async () => {
    await page.getByRole('button', { name: `Edit ${title}` }).click();
    const dialog = page.getByRole('dialog', { name: `Edit “${title}”` });
    await dialog.getByLabel('Cost in points').fill('75');
    await dialog.getByLabel('Stock').fill('1');
    await dialog.getByRole('button', { name: 'Save reward' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(page, title)).toContainText('75 points');
    await member.reload();
    await expect(card).toContainText('75 points');
    await expect(card).toContainText('15 more points to go');
    await expect(card).toContainText('1 left');
    await expect(card.locator('img')).toBeVisible();
  });

  await test.step('hidden, then deleted', async () => {
    await rowWith(page, title).getByRole('button', { name: 'Deactivate' }).click();
    await expect(rowWith(page, title)).toContainText('Inactive');
    await member.reload();
    await expect(member.getByRole('heading', { name: 'Sticker sheet' }).first()).toBeVisible();
    await expect(card).toHaveCount(0);
    await page.getByRole('button', { name: `Delete ${title}` }).click();
    const dialog = page.getByRole('alertdialog', { name: `Delete “${title}”?` });
    await dialog.getByRole('button', { name: 'Delete reward' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(page, title)).toHaveCount(0);
  });

  await openTab(page, 'audit', { q: admin.email, subject: 'reward' });
  await expect(rowWith(page, /(Saved|Deleted) a reward/)).toHaveCount(4);
  await expect(rowWith(page, 'Saved a reward').first()).toContainText('Active: yes → no');
});

test('C-50 TRUST-10 redemptions: pending ones first, one fulfilled with a note, one cancelled and refunded once', async ({
  page,
  context,
  newBrowser,
}) => {
  const admin = await newBrowserAdmin(context);
  const memberContext = await newBrowser();
  const account = await signUp(memberContext, 'redeemer');
  await grant(account, 100);
  const mark = randomUUID().slice(0, 8);
  const redeem = async (title: string) => {
    const p_reward = { title: `${title} ${mark}`, points_cost: 30, stock_quantity: 5 };
    const reward = await unwrap(admin.client.rpc('save_reward', { p_reward }));
    const order = { p_reward_id: reward.id, p_idempotency_key: randomUUID() };
    return unwrap(account.client.rpc('redeem_reward_safe', order));
  };
  const mug = await redeem('Mug');
  const cap = await redeem('Cap');
  const sock = await redeem('Sock');
  expect(await walletOf(account.userId)).toMatchObject({ points: 10 });
  const titles = () => rowWith(page, mark).locator('p:first-child').filter({ hasText: mark }).allTextContents();

  await test.step('the oldest is first and is fulfilled with a note', async () => {
    await openTab(page, 'redemptions', { q: account.email });
    await expect(rowWith(page, mark)).toHaveCount(3);
    expect(await titles()).toEqual([`Mug ${mark}`, `Cap ${mark}`, `Sock ${mark}`]);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect(await clippedFocusRings(page), 'rings around what has the focus').toEqual([]);
    const phone = page.viewportSize();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.getByRole('tabpanel').getByRole('table')).toBeVisible();
    const actions = rowWith(page, `Mug ${mark}`).getByRole('button', { name: /^(Fulfil|Cancel)$/ });
    await expect(actions).toHaveCount(2);
    const tops = await actions.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(tops[0], 'both actions on one line').toBe(tops[1]);
    expect(await clippedFocusRings(page), 'rings at 1280 px').toEqual([]);
    if (phone) await page.setViewportSize(phone);
    await rowWith(page, `Mug ${mark}`).getByRole('button', { name: 'Fulfil' }).click();
    const dialog = page.getByRole('dialog', { name: `Fulfil “Mug ${mark}”?` });
    await dialog.getByLabel('Note to the member').fill('Parcel number 4711');
    await dialog.getByRole('button', { name: 'Fulfil redemption' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(page, `Mug ${mark}`)).toContainText('Fulfilled');
    await expect(rowWith(page, `Mug ${mark}`).getByRole('button')).toHaveCount(0);
  });

  await test.step('another is cancelled with a refund', async () => {
    await rowWith(page, `Cap ${mark}`).getByRole('button', { name: 'Cancel' }).click();
    const dialog = page.getByRole('dialog', { name: `Cancel “Cap ${mark}”?` });
    await expect(dialog).toContainText('gets 30 points back');
    await dialog.getByLabel('Note to the member').fill('The caps are sold out.');
    await dialog.getByRole('button', { name: 'Cancel and refund' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(page, `Cap ${mark}`)).toContainText('Cancelled');
    await page.reload();
    await expect(rowWith(page, mark)).toHaveCount(3);
    expect((await titles())[0]).toBe(`Sock ${mark}`);
  });

  await test.step('the member sees both notes and gets the points back, once', async () => {
    const member = await memberContext.newPage();
    await member.goto('/rewards');
    const line = (title: string) => member.getByRole('listitem').filter({ hasText: `${title} ${mark}` });
    await expect(line('Mug').filter({ hasText: 'Fulfilled' })).toContainText('Parcel number 4711');
    await expect(line('Cap').filter({ hasText: 'Cancelled' })).toContainText('The caps are sold out.');
    await expect(member.getByRole('banner')).toContainText(/\D40 points/);
    for (const redemption of [cap, mug]) {
      const again = { p_redemption_id: redemption.id, p_status: 'cancelled' };
      expect((await refusal(admin.client.rpc('set_redemption_status', again))).code).toBe('REDEMPTION_HANDLED');
    }
    expect(await walletOf(account.userId)).toMatchObject({ points: 40 });
    expect(await ledgerProblems()).toEqual([]);
  });

  const fulfilled = ['Status: pending → fulfilled', 'Parcel number 4711'];
  const cancelled = ['Status: pending → cancelled', 'The caps are sold out.'];
  await expectInAudit(
    page,
    admin,
    { action: 'redemption.fulfilled', subject: mug.id, texts: fulfilled },
    { action: 'redemption.cancelled', subject: cap.id, texts: cancelled },
  );
  await unwrap(admin.client.rpc('set_redemption_status', { p_redemption_id: sock.id, p_status: 'cancelled' }));
});
