import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { expect, newEmail, PASSWORD, signIn, signUp, TEST_CODE, test } from './fixtures.ts';
import { stepUntil, stopClock } from './support/clock.ts';
import { askForCode, signUpByForm } from './support/sign-up.ts';

const email = (page: Page) => page.getByLabel('Email address', { exact: true });
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const userMenu = (page: Page) => page.getByRole('button', { name: /Your menu/ });

async function signInByForm(page: Page, address: string, secret: string) {
  await email(page).fill(address);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('Forgot password?')).toBeVisible();
  await password(page).fill(secret);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

test('ROUTE-06 the form is there at every address below /auth', async ({ page }) => {
  for (const path of ['/auth', '/auth/verify-email', '/auth/signin/']) {
    await page.goto(`${path}?role=startup_unverified`);
    await expect(email(page), path).toBeVisible();
    await expect(page.getByRole('radio', { name: /Startup/ })).toBeChecked();
  }
});

test.describe('mistakes', () => {
  // The browser itself logs every 4xx response.
  test.use({ expectedErrors: [/status of 422/] });

  test('a wrong password is refused; the right one leads to the requested page', async ({ page, newBrowser }) => {
    const elsewhere = await newBrowser();
    const account = await signUp(elsewhere);

    await page.goto('/community/referrals');
    await expect(page).toHaveURL(/\/auth\/signin\?redirect=%2Fcommunity%2Freferrals/);
    await signInByForm(page, account.email, 'not the password');
    await expect(page.getByText(/password is incorrect/i).first()).toBeVisible();
    await password(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(page).toHaveURL(/\/community\/referrals$/, { timeout: 30_000 });
    await expect(page.getByRole('heading', { name: 'Referrals', level: 1 })).toBeVisible();
  });

  test('AUTH-02 AUTH-03 AUTH-04 AUTH-05 AUTH-08 C-67 the role in the address passes without a click through sign-up, including a wrong code, to the profile', async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto('/auth/signin?role=startup_unverified');
    await expect(page.getByRole('radio', { name: /Startup/ })).toBeChecked();
    const selectedRole = () => page.evaluate(() => localStorage.getItem('selectedRole'));
    await expect.poll(selectedRole).toBe('startup_unverified');
    await page.getByRole('main').getByRole('link', { name: 'Sign up' }).last().click();
    await expect(page.getByRole('heading', { name: 'Join the Community' })).toBeVisible();
    await expect(page.getByRole('radio', { name: /Startup/ })).toBeChecked();

    const address = newEmail();
    const code = await askForCode(page, address);
    await code.fill('111111');
    await expect(page.getByText(/incorrect/i).first()).toBeVisible();
    // The form clears the field a moment after the refusal, and with it anything typed before.
    await expect(code).toHaveValue('');
    await stopClock(page);
    await code.fill(TEST_CODE);
    const welcome = page.getByRole('heading', { name: 'Welcome to Questboard' });
    await stepUntil(page, welcome);
    await page.clock.runFor(2500);
    await expect(welcome).toBeVisible();
    await page.clock.runFor(500);
    await expect(page).toHaveURL(/\/app-dashboard$/);
    await page.clock.resume();
    await expect(page).toHaveURL(/\/startup$/);
    const saved = 'select role, username from public.user_profiles where email = $1';
    expect((await sql().query(saved, [address])).rows).toEqual([
      { role: 'startup_unverified', username: address.split('@')[0] },
    ]);
  });
});

test('AUTH-01 the provider signs people up, in and out: its form, its requests, and a password goes nowhere else', async ({
  page,
  context,
}) => {
  const board = await context.newPage();
  const ofVisitor: string[] = [];
  board.on('request', (request) => ofVisitor.push(request.url()));
  await board.goto('/browse');
  // Enabled once it is known who is there.
  await expect(board.getByRole('button', { name: /^Save / }).first()).toBeEnabled();
  expect(ofVisitor.filter((url) => url.includes('/__clerk/'))).toEqual([]);

  const calls: { method: string; url: string; body: string }[] = [];
  page.on('request', (request) =>
    calls.push({ method: request.method(), url: request.url(), body: request.postData() ?? '' }),
  );
  const toProvider = (path: RegExp) => calls.filter(({ url }) => /\/__clerk\//.test(url) && path.test(url));
  const address = newEmail();

  await page.goto('/auth/signup');
  await expect(page.locator('.cl-rootBox').getByLabel('Password', { exact: true })).toBeVisible();
  await signUpByForm(page, address);
  await expect(page).toHaveURL(/\/community$/);
  await expect(page.getByRole('heading', { name: 'Community Dashboard' })).toBeVisible();
  expect(toProvider(/sign_ups/).length).toBeGreaterThan(0);
  await expect(userMenu(board)).toBeVisible();
  await board.close();

  await userMenu(page).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  expect(
    toProvider(/sessions/).some(({ method, url }) => method === 'DELETE' || /_method=DELETE|end|remove/.test(url)),
  ).toBe(true);

  await page.goto('/auth/signin?redirect=/rewards');
  await signInByForm(page, address, PASSWORD);
  await expect(page).toHaveURL(/\/rewards$/);
  expect(toProvider(/sign_ins/).length).toBeGreaterThan(0);

  const withPassword = calls.filter(({ body, url }) => (body + url).includes(PASSWORD));
  expect(withPassword.length).toBeGreaterThan(0);
  for (const { url } of withPassword) expect(new URL(url).pathname).toMatch(/^\/__clerk\//);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(PASSWORD);
});

test('AUTH-03 AUTH-06 C-17 a signed-in user is told so and redirected after 3 seconds, never to another site', async ({
  page,
  context,
}) => {
  await signUp(context);
  await page.clock.install();
  await stopClock(page);
  await page.goto('/auth/signin?redirect=/rewards');
  const notice = page.getByRole('heading', { name: 'Already Signed In!' });
  await stepUntil(page, notice);
  await page.clock.runFor(2500);
  await expect(notice).toBeVisible();
  await page.clock.runFor(500);
  await expect(page).toHaveURL(/\/rewards$/);
  await page.clock.resume();
  await expect(page.getByRole('heading', { name: 'My Rewards' })).toBeVisible();

  const onward = page.getByRole('link', { name: 'Continue now' });
  for (const redirect of ['//evil.example', 'javascript:alert(1)']) {
    await page.goto(`/auth/signin?redirect=${encodeURIComponent(redirect)}`);
    await expect(onward).toHaveAttribute('href', '/app-dashboard');
  }
});

test.describe('several tabs', () => {
  // A read that home starts while signing out may be sent after the session has ended.
  test.use({ expectedErrors: [/401 \(Unauthorized\) \(.*get_own_quest_states/] });

  test('HEAD-02 HEAD-07 signing out in one tab signs out the other tabs, but no other browsers', async ({
    page,
    context,
    newBrowser,
  }) => {
    const account = await signUp(context);
    const other = await newBrowser();
    await signIn(other, account.email);
    const [second, elsewhere] = [await context.newPage(), await other.newPage()];
    for (const tab of [second, elsewhere]) {
      await tab.goto('/rewards');
      await expect(tab.getByRole('heading', { name: 'My Rewards' })).toBeVisible();
    }

    await page.goto('/settings');
    await userMenu(page).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
    await second.bringToFront();
    await expect(second.getByRole('heading', { name: 'Available Rewards' })).toBeVisible();

    await elsewhere.reload();
    await expect(elsewhere.getByRole('heading', { name: 'My Rewards' })).toBeVisible();
  });
});
