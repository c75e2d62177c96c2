import { must, walletOf } from '../supabase/tests/support/world.ts';
import { expect, newEmail, PASSWORD, signUp, TEST_CODE, test } from './fixtures.ts';

// The second claim is refused, which the browser itself notes.
test.use({ expectedErrors: [/status of 4\d\d/] });

test('REF-04 REF-05 REF-09 a link opened in one tab rewards a sign-up in another, both sides once', async ({
  page,
  context,
  browser,
}) => {
  const home = await browser.newContext();
  const referrer = await signUp(home, 'referrer');
  await home.close();
  const { code } = await must(referrer.client.from('referral_codes').select('code').single());

  await page.goto(`/?ref=${code}&utm_source=friend`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const clicks = () => must(referrer.client.from('referral_codes').select('clicks').single()).then((row) => row.clicks);
  await expect.poll(clicks, { timeout: 30_000 }).toBe(1);

  const other = await context.newPage();
  await other.goto('/auth/signup');
  const email = newEmail('friend');
  await other.getByLabel('Email address', { exact: true }).fill(email);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Continue', exact: true }).click();
  await other.getByLabel('Enter verification code').fill(TEST_CODE);
  await expect(other).toHaveURL(/\/community$/, { timeout: 30_000 });
  await other.goto('/rewards');
  await expect(other.getByText(/Welcome bonus/).first()).toBeVisible({ timeout: 30_000 });
  await expect(other.getByRole('banner')).toContainText('250 points');

  // Opening the link again, in either tab, changes nothing.
  await page.goto(`/?ref=${code}`);
  await expect(page.getByRole('button', { name: /Your menu/ })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('questboard.pending-referral')), { timeout: 30_000 })
    .toBeNull();
  await page.goto('/rewards');
  await expect(page.getByRole('banner')).toContainText('250 points');
  expect(await walletOf(referrer.userId)).toEqual({ points: 500, lifetime: 500 });
});

test('REF-03 the referral page shares the link and lists who came', async ({ page, context }) => {
  const { client } = await signUp(context, 'sharer');
  const { code } = await must(client.from('referral_codes').select('code').single());
  await page.goto('/community/referrals');
  await expect(page.getByRole('heading', { name: 'Referrals', level: 1 })).toBeVisible();
  await expect(page.getByText('You earn 500 / They earn 250')).toBeVisible();
  const link = page.getByRole('textbox', { name: /link/i });
  await expect(link).toHaveValue(`${process.env.APP_URL}/?ref=${code}`);
  await expect(link).not.toBeEditable();
  await expect(page.getByRole('link', { name: 'Share on X' })).toHaveAttribute('href', new RegExp(code));
});
