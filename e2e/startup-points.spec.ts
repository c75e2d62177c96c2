import { newQuest, projectPoints, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';

test('BEY-20 RULE-18 C-20 C-110 a founder at the limit buys points, finds the receipt and publishes beyond the trial', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  await newQuest(founder, { task: { reward_points: 100, max_completions: 5 } });
  const pay = page.getByRole('button', { name: 'Pay $49.00' });

  await test.step('the page shows the limit, and what lifts it', async () => {
    await page.goto('/startup/wallet');
    await page.getByRole('link', { name: 'Buy points' }).click();
    await expect(page.getByRole('heading', { name: 'Points and billing', level: 1 })).toBeVisible();
    await expect(page.getByText('1 of 1 quest. Buying points lifts this limit.')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step('cancelled and declined, nothing is charged', async () => {
    await page.getByRole('button', { name: 'Buy 1,000 points for $49' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page.getByText('Nothing was charged.')).toBeVisible();
    await expect(page.getByText('No payments yet')).toBeVisible();
    await page.getByRole('button', { name: 'Buy 1,000 points for $49' }).click();
    await page.getByRole('button', { name: 'Pay with a declined card' }).click();
    await expect(page.getByRole('alert')).toContainText('Your card was declined.');
    expect(await projectPoints(founder.startup.id)).toMatchObject({ free: 0 });
  });

  await test.step('paid, the points are there with their receipt', async () => {
    await pay.click();
    await expect(page).toHaveURL(/\/startup\/billing\?success=points&after=none$/);
    await expect(page.getByText('1,000 points are in your wallet')).toBeVisible();
    await expect(page.getByText('1 quest. There is no limit on how many.')).toBeVisible();
    await expect(page.getByText('500 of 1,500 points')).toBeVisible();
    const receipt = page.getByRole('link', { name: /^Receipt of/ });
    const [receiptPage] = await Promise.all([context.waitForEvent('page'), receipt.click()]);
    await expect(receiptPage.getByRole('heading', { name: 'Receipt' })).toBeVisible();
    expect(await projectPoints(founder.startup.id)).toMatchObject({ free: 1000 });
  });

  await test.step('a second quest beyond the trial is published', async () => {
    await page.goto('/startup/create-quest');
    const skip = page.getByRole('button', { name: 'Skip for now' });
    await page.getByRole('radio', { name: 'Visit website' }).or(skip).first().waitFor();
    if (await skip.isVisible()) await skip.click();
    await page.getByRole('radio', { name: 'Visit website' }).check();
    await page.getByLabel('Website URL').fill('kite.example');
    await page.getByLabel('Points per person').fill('200');
    await page.getByLabel('Max participants').fill('5');
    await page.getByRole('button', { name: 'Create Quest' }).click();
    await expect(page.getByText('Your quest is live')).toBeVisible();
    const quests = await unwrap(founder.client.from('campaigns').select('status').eq('startup_id', founder.startup.id));
    expect(quests).toEqual([{ status: 'published' }, { status: 'published' }]);
    expect(await projectPoints(founder.startup.id)).toMatchObject({ free: 0 });
  });
});
