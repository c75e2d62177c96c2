import type { Page } from '@playwright/test';
import { testEnv } from '../local/testing/clients.ts';
import { type Owner, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';

const SUBSCRIBE = '/startup/subscribe?plan=og_lifetime';
const subscribeButton = (page: Page) => page.getByRole('button', { name: 'Get OG Lifetime Access for $99' });
const pay = (page: Page) => page.getByRole('button', { name: 'Pay $99.00' });
const panel = (page: Page) => page.getByRole('region', { name: 'Payment' });

const subscriptionsOf = (founder: Owner) =>
  unwrap(founder.client.from('subscriptions').select('plan_id, status, amount_cents, payment_ref'));

async function openPaymentPage(page: Page) {
  await page.goto(SUBSCRIBE);
  await subscribeButton(page).click();
  await expect(pay(page)).toBeVisible();
}

test('SDASH-03 SDASH-04 SUBS-01 C-20 a founder pays; the plan is shown as confirming until the payment arrives', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  const trial = page.getByText('Trial: 1 quest live, 500 points budget');

  await test.step('the address alone activates nothing', async () => {
    await page.goto('/startup?success=subscription');
    await expect(panel(page).getByRole('heading', { name: 'Payment Successful' })).toBeVisible();
    await expect(panel(page)).toContainText('Your payment is being confirmed.');
    await expect(trial).toBeVisible();
    expect(await subscriptionsOf(founder)).toEqual([]);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  const buyer = await context.newPage();
  await test.step('the offer leads to the checkout page and back', async () => {
    await buyer.goto('/startup');
    await buyer.getByRole('link', { name: 'See OG Lifetime' }).click();
    await expect(buyer.getByRole('heading', { name: 'OG Lifetime Access', level: 1 })).toBeVisible();
    for (const text of ['$99', '$297', '67% off', 'Limited to 100 slots', '30-day money-back guarantee'])
      await expect(buyer.getByText(text).first()).toBeVisible();
    await expectAccessible(buyer);
    await expectNoSidewaysScroll(buyer);
    await subscribeButton(buyer).click();
    await pay(buyer).click();
    await expect(buyer).toHaveURL(/\/startup\?success=subscription$/);
    await expect(panel(buyer)).toContainText('OG Lifetime is active for your project.');
  });

  await test.step('the waiting panel has updated by itself', async () => {
    await expect(panel(page)).toContainText('OG Lifetime is active for your project.');
    await expect(trial).toBeHidden();
    await page.getByRole('button', { name: 'Got it!' }).click();
    await expect(page).toHaveURL(/\/startup$/);
    await expect(panel(page)).toBeHidden();
  });

  await test.step('the badge is there, and nothing can be paid twice', async () => {
    expect(await subscriptionsOf(founder)).toMatchObject([
      { plan_id: 'og_lifetime', status: 'active', amount_cents: 9900 },
    ]);
    await page.goto('/profile');
    await expect(page.getByRole('main').getByText('OG Member')).toBeVisible();
    await page.goto(SUBSCRIBE);
    await expect(page.getByText('You already have OG Lifetime Access.')).toBeVisible();
    await expect(subscribeButton(page)).toHaveCount(0);
  });

  await test.step('beside the badge the links of the header stay on one line', async () => {
    for (const width of [1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
      await expect(links).toHaveCount(4);
      const heights = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height));
      expect(new Set(heights).size, `heights at ${width} px: ${heights}`).toBe(1);
      await expectNoSidewaysScroll(page);
    }
  });
});

test('SUBS-05 a cancelled payment charges nothing, a declined card pays nothing, and another card works', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  await test.step('cancelled', async () => {
    await openPaymentPage(page);
    await page.getByRole('link', { name: 'Cancel' }).click();
    const note = page.getByRole('status').filter({ hasText: 'Payment cancelled' });
    await expect(note).toContainText('Nothing was charged.');
    await expectAccessible(page);
    await note.getByRole('link', { name: 'Got it!' }).click();
    await expect(note).toBeHidden();
    expect(await subscriptionsOf(founder)).toEqual([]);
  });

  const asked = page.waitForRequest((request) => request.url().endsWith('/api/stripe/create-checkout-session'));
  await subscribeButton(page).click();
  const request = await asked;
  expect(request.method()).toBe('POST');
  expect(request.postDataJSON()).toMatchObject({
    priceId: 'og_lifetime',
    planId: 'og_lifetime',
    startupId: founder.startup.id,
    successUrl: expect.stringMatching(/\/startup\?success=subscription$/),
    cancelUrl: expect.stringMatching(/\/startup\/subscribe\?plan=og_lifetime&cancelled=1$/),
  });
  // The session's token, not the user's id, which is no secret (C-19).
  expect(request.headers().authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);

  await page.getByRole('button', { name: 'Pay with a declined card' }).click();
  await expect(page.getByRole('alert')).toContainText('Your card was declined.');
  expect(await subscriptionsOf(founder)).toEqual([]);
  const otherTab = await context.newPage();
  await otherTab.goto('/startup');
  await expect(otherTab.getByText('Trial: 1 quest live, 500 points budget')).toBeVisible();
  await expect(panel(otherTab)).toHaveCount(0);

  await pay(page).click();
  await expect(panel(page)).toContainText('OG Lifetime is active for your project.');
  expect(await subscriptionsOf(founder)).toMatchObject([{ status: 'active', amount_cents: 9900 }]);
});

test('paying twice, from two tabs, makes one plan and one refund', async ({ page, context }) => {
  const founder = await newFounder(context);
  const otherTab = await context.newPage();
  await openPaymentPage(page);
  await openPaymentPage(otherTab);
  expect(otherTab.url()).not.toBe(page.url());
  for (const tab of [page, otherTab]) {
    await pay(tab).click();
    await expect(panel(tab)).toContainText('OG Lifetime is active for your project.');
  }

  const [subscription, ...others] = await subscriptionsOf(founder);
  expect(others).toEqual([]);
  const refunds = async () => {
    const { data } = await (await fetch(`${testEnv().STRIPE_URL}/v1/refunds?limit=100`)).json();
    return data.filter(
      ({ metadata }: { metadata: Record<string, string> }) => metadata.startup_id === founder.startup.id,
    );
  };
  await expect.poll(async () => (await refunds()).length).toBe(1);
  expect(await refunds()).toMatchObject([{ amount: 9900, status: 'succeeded' }]);
  expect((await refunds())[0].payment_intent).not.toBe(subscription?.payment_ref);
});
