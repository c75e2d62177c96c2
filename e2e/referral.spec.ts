import { asAnon } from '../local/testing/clients.ts';
import { newMember, unwrap, walletOf } from '../supabase/tests/support/factories.ts';
import { expect, newEmail, signUp, test } from './fixtures.ts';
import { stepUntil, stopClock } from './support/clock.ts';
import { signUpByForm } from './support/sign-up.ts';

// The second claim is refused, which the browser itself logs.
test.use({ expectedErrors: [/status of 4\d\d/] });

test('REF-04 REF-05 REF-09 a link opened in one tab rewards a sign-up in another, both sides once', async ({
  page,
  context,
  newBrowser,
}) => {
  const home = await newBrowser();
  const referrer = await signUp(home, 'referrer');
  const { code } = await unwrap(referrer.client.from('referral_codes').select('code').single());

  await page.goto(`/?ref=${code}&utm_source=friend`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const clicks = () =>
    unwrap(referrer.client.from('referral_codes').select('clicks').single()).then((row) => row.clicks);
  await expect.poll(clicks).toBe(1);

  const other = await context.newPage();
  await other.goto('/auth/signup');
  await signUpByForm(other, newEmail('friend'));
  await expect(other).toHaveURL(/\/community$/);
  await other.goto('/rewards');
  await expect(other.getByText(/Welcome bonus/).first()).toBeVisible({ timeout: 30_000 });
  await expect(other.getByRole('banner')).toContainText('250 points');

  // Opening the link again, in either tab, changes nothing.
  await page.goto(`/?ref=${code}`);
  await expect(page.getByRole('button', { name: /Your menu/ })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('questboard.pending-referral'))).toBeNull();
  await page.goto('/rewards');
  await expect(page.getByRole('banner')).toContainText('250 points');
  expect(await walletOf(referrer.userId)).toEqual({ points: 500, lifetime: 500 });
});

test('REF-01 REF-02 REF-03 the referral page shows code and link for copying, and their results', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  const { client } = await signUp(context, 'sharer');
  const { code } = await unwrap(client.from('referral_codes').select('code').single());
  await asAnon().rpc('track_referral_click', { p_code: code }).throwOnError();
  await page.goto('/community/referrals');
  await expect(page.getByRole('heading', { name: 'Referrals', level: 1 })).toBeVisible();
  await expect(page.getByText('You earn 500 / They earn 250')).toBeVisible();
  await expect(page.getByRole('list', { name: 'How it works' }).getByRole('listitem')).toHaveCount(3);
  const link = page.getByRole('textbox', { name: 'Your link' });
  const address = `${process.env.APP_URL}/?ref=${code}`;
  await expect(link).toHaveValue(address);
  await expect(link).not.toBeEditable();
  await expect(page.getByRole('textbox', { name: 'Your code' })).not.toBeEditable();
  await expect(page.getByRole('link', { name: 'Share on X' })).toHaveAttribute('href', new RegExp(code));

  for (const [label, text] of [
    ['Copy code', code],
    ['Copy link', address],
  ] as const) {
    const button = page.getByRole('button', { name: label });
    await stopClock(page);
    await button.click();
    await stepUntil(page, page.getByRole('button', { name: 'Copied' }));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    await page.clock.runFor(2000);
    await expect(button).toBeVisible();
    await page.clock.resume();
  }

  const figure = (label: string) => page.locator('dt', { hasText: label }).locator('xpath=..');
  await expect(figure('Clicks')).toContainText('1');
  await expect(figure('Successful referrals')).toContainText('0');
  const friend = await newMember('friend');
  await unwrap(friend.client.rpc('process_referral_signup', { p_user_id: friend.id, p_code: code }));
  await page.getByRole('button', { name: 'Refresh Stats' }).click();
  await expect(figure('Successful referrals')).toContainText('1');
  await expect(figure('Total points earned')).toContainText('500 points');
});
