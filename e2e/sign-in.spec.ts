import type { Page } from '@playwright/test';
import { expect, newEmail, PASSWORD, signIn, signUp, TEST_CODE, test } from './fixtures.ts';

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

test.describe('mistakes', () => {
  // The browser itself notes every answer of 4xx.
  test.use({ expectedErrors: [/status of 422/] });

  test('a wrong password is refused; the right one leads to the wanted page', async ({ page, browser }) => {
    const elsewhere = await browser.newContext();
    const account = await signUp(elsewhere);
    await elsewhere.close();

    await page.goto('/community/referrals');
    await expect(page).toHaveURL(/\/auth\/signin\?redirect=%2Fcommunity%2Freferrals/);
    await signInByForm(page, account.email, 'not the password');
    await expect(page.getByText(/password is incorrect/i).first()).toBeVisible();
    await password(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(page).toHaveURL(/\/community\/referrals$/, { timeout: 30_000 });
    await expect(page.getByRole('heading', { name: 'Referrals', level: 1 })).toBeVisible();
  });

  test('AUTH-04 AUTH-05 a wrong code is refused; the right one makes the account and leads on', async ({ page }) => {
    await page.goto('/auth/signup');
    await expect(page.getByRole('heading', { name: 'Join the Community' })).toBeVisible();
    await email(page).fill(newEmail());
    await password(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    const code = page.getByLabel('Enter verification code');
    await code.fill('111111');
    await expect(page.getByText(/incorrect/i).first()).toBeVisible();
    await code.fill(TEST_CODE);
    await expect(page.getByRole('heading', { name: 'Welcome to Questboard' })).toBeVisible({ timeout: 30_000 });
    await expect(page).toHaveURL(/\/(app-dashboard|community)$/, { timeout: 30_000 });
    await expect(page).toHaveURL(/\/community$/, { timeout: 30_000 });
  });
});

test('AUTH-01 the provider signs people up, in and out: its form, its calls, and a password goes nowhere else', async ({
  page,
}) => {
  const calls: { method: string; url: string; body: string }[] = [];
  page.on('request', (request) =>
    calls.push({ method: request.method(), url: request.url(), body: request.postData() ?? '' }),
  );
  const toProvider = (path: RegExp) => calls.filter(({ url }) => /\/__clerk\//.test(url) && path.test(url));
  const address = newEmail();

  await page.goto('/auth/signup');
  await expect(page.locator('.cl-rootBox').getByLabel('Password', { exact: true })).toBeVisible();
  await email(page).fill(address);
  await password(page).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel('Enter verification code').fill(TEST_CODE);
  await expect(page).toHaveURL(/\/community$/);
  await expect(page.getByRole('heading', { name: 'Community Dashboard' })).toBeVisible();
  expect(toProvider(/sign_ups/).length).toBeGreaterThan(0);

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

test('ROUTE-15 signed-out visitors of guarded pages are sent to sign in, with the way back', async ({ page }) => {
  for (const path of ['/community', '/settings', '/startup', '/admin', '/onboarding']) {
    await page.goto(path);
    await expect(page).toHaveURL(new RegExp(`/auth/signin\\?redirect=${encodeURIComponent(path)}$`));
  }
});

test('AUTH-06 whoever is signed in already is told so and taken on after 3 seconds', async ({ page, context }) => {
  await signUp(context);
  await page.addInitScript(() => {
    const times = { shown: 0, left: 0 };
    Object.assign(window, { times });
    new MutationObserver(() => {
      const isShown = document.querySelector('h1')?.textContent === 'Already Signed In!';
      if (isShown && !times.shown) times.shown = performance.now();
      if (!isShown && times.shown && !times.left) times.left = performance.now();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/auth/signin?redirect=/rewards');
  await expect(page).toHaveURL(/\/rewards$/, { timeout: 30_000 });
  await expect(page.getByRole('heading', { name: 'My Rewards' })).toBeVisible();
  const { shown, left } = await page.evaluate(() => Reflect.get(window, 'times'));
  expect(shown, 'the notice was shown').toBeGreaterThan(0);
  expect(left - shown, 'milliseconds to read it').toBeGreaterThan(2900);
});

for (const redirect of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
  test(`AUTH-03 C-17 never leads to ${redirect} after signing in`, async ({ page, context }) => {
    await signUp(context);
    await page.goto(`/auth/signin?redirect=${encodeURIComponent(redirect)}`);
    await expect(page.getByRole('link', { name: 'Continue now' })).toHaveAttribute('href', '/app-dashboard');
  });
}

test('AUTH-02 AUTH-03 the address preselects the role, and the choice is kept', async ({ page }) => {
  await page.goto('/auth/signin?role=startup_unverified');
  await expect(page.getByRole('radio', { name: /Startup/ })).toBeChecked();
  await page.getByRole('radio', { name: /Community Member/ }).check();
  await page.getByRole('radio', { name: /Startup/ }).check();
  await page.goto('/auth/signup');
  await expect(page.getByRole('radio', { name: /Startup/ })).toBeChecked();
  expect(await page.evaluate(() => localStorage.getItem('selectedRole'))).toBe('startup_unverified');
});

test('two browsers have sessions of their own: signing out of one leaves the other', async ({
  page,
  context,
  browser,
}) => {
  const account = await signUp(context);
  const other = await browser.newContext({ ...test.info().project.use });
  await signIn(other, account.email);
  const elsewhere = await other.newPage();
  await elsewhere.goto('/rewards');
  await expect(elsewhere.getByRole('heading', { name: 'My Rewards' })).toBeVisible();

  await page.goto('/settings');
  await userMenu(page).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();

  await elsewhere.reload();
  await expect(elsewhere.getByRole('heading', { name: 'My Rewards' })).toBeVisible();
  await other.close();
});

test('HEAD-02 HEAD-07 signing out in one tab signs the other tabs out', async ({ page, context }) => {
  await signUp(context);
  const second = await context.newPage();
  await second.goto('/rewards');
  await expect(second.getByRole('heading', { name: 'My Rewards' })).toBeVisible();
  await page.goto('/community');
  await userMenu(page).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  await second.bringToFront();
  await expect(second.getByRole('heading', { name: 'Available Rewards' })).toBeVisible({ timeout: 30_000 });
});
