import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { asService, sql } from '../local/testing/clients.ts';
import { newOwner, newQuest, unwrap, walletOf } from '../supabase/tests/support/factories.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  signIn,
  signUp,
  TEST_CODE,
  test,
} from './fixtures.ts';

const REWARD = 500;
/** With the reward, enough for one of the fifty places on the leaderboard. */
const EARNED_BEFORE = 1000;

/** The rows of the leaderboard as a member sees them. */
async function leaderboard(page: Page): Promise<string> {
  await page.goto('/rewards');
  const lines = page.getByRole('region', { name: 'Beta Leaderboard' });
  await lines.getByRole('button', { name: 'Show all 50' }).click();
  return (await lines.textContent()) ?? '';
}

test.use({ expectedErrors: [/status of 4\d\d/] });

test('C-16 whoever is signed out in another tab while on the account page is asked to sign in, and led back', async ({
  page,
  context,
}) => {
  const { email, password } = await signUp(context);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Manage account' }).click();
  await expect(page.getByRole('dialog').getByText('Profile details')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/rewards');
  await other.getByRole('button', { name: /Your menu/ }).click();
  await other.getByRole('menuitem', { name: 'Sign Out' }).click();
  // Home is there before the provider has signed out.
  await expect(other.getByRole('link', { name: 'Get Started' }).first()).toBeVisible();
  await other.close();
  await expect(page).toHaveURL('/auth/signin?redirect=%2Fsettings');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByLabel('Email address', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page).toHaveURL('/settings');
});

test('C-65 an address that becomes the primary one in the account dialog is shown behind it, and synced with a token that has it', async ({
  page,
  context,
}) => {
  await signUp(context);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Manage account' }).click();
  const account = page.getByRole('dialog');
  const email = newEmail('moved');
  await account.getByRole('button', { name: 'Add email address' }).click();
  await account.getByLabel('Email address').fill(email);
  await account.getByRole('button', { name: 'Add', exact: true }).click();
  await account.getByLabel('Enter verification code').fill(TEST_CODE);
  await expect(account.getByLabel('Enter verification code')).toHaveCount(0);
  await account.getByRole('menuitem', { name: 'Open menu' }).last().click();
  const setAsPrimary = page.getByRole('menuitem', { name: 'Set as primary' });
  const [sync] = await Promise.all([
    page.waitForRequest(/rpc\/sync_current_user/),
    // On a slow machine the provider's menu may lose a press in the moment after it has opened.
    expect(async () => {
      if (await setAsPrimary.isVisible()) await setAsPrimary.click();
      await expect(setAsPrimary).toBeHidden({ timeout: 5000 });
    }).toPass(),
  ]);
  const [, claims = ''] = (sync.headers().authorization ?? '').split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ email });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main').getByText(email)).toBeVisible();
});

// On phones the provider's page hides its sections behind a menu.
test('a member deletes the account: signed out, removed by name from the leaderboard, and the books still balance', {
  tag: '@desktop',
}, async ({ page, context, newBrowser }) => {
  const { userId, email, password, client } = await signUp(context, 'leaver');
  const mark = randomUUID().slice(0, 8);
  const name = `${mark.slice(0, 5)} leaves ${mark.slice(5)}`;
  const masked = `${mark.slice(0, 5)}***${mark.slice(5)}`;
  await unwrap(client.rpc('update_profile', { p_username: name, p_display_name: name }));
  const { taskId } = await newQuest(await newOwner(), { task: { reward_points: REWARD, max_completions: 1 } });
  await unwrap(client.rpc('submit_proof', { p_task_id: taskId, p_url: 'https://blog.example/tried-it' }));
  const credit = { p_user_id: userId, p_points: EARNED_BEFORE, p_description: 'Task completion: earlier work' };
  await unwrap(asService().rpc('credit_points_safe', credit));
  const before = await walletOf(userId);
  expect(before.points).toBe(REWARD + EARNED_BEFORE);

  /** What a fresh browser context shows, without cached lists. */
  const leaderboardElsewhere = async () => {
    const elsewhere = await newBrowser();
    await signUp(elsewhere, 'watcher');
    const lines = await leaderboard(await elsewhere.newPage());
    return lines;
  };
  expect(await leaderboardElsewhere()).toContain(masked);

  await test.step("in the settings, on the identity provider's page", async () => {
    await page.goto('/settings');
    await expect(page.getByRole('button', { name: 'Manage account' })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Manage account' }).click();
    const account = page.getByRole('dialog');
    const security = account.getByRole('button', { name: 'Security' });
    await security.click();
    await account.getByRole('button', { name: 'Delete account' }).click();
    await expect(account.getByText('Rewards that we have not sent yet are cancelled')).toBeVisible();
    // The provider's own words: nothing has to be requested here.
    await expect(account.getByText('contact support')).toBeHidden();
    await account.getByLabel(/Type .*delete account/i).fill('Delete account');
    await account.getByRole('button', { name: 'Delete account' }).last().click();
  });

  await test.step('the browser is signed out', async () => {
    await expect(page.getByText('Your account is deleted.')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    // Not at sign-in, which would welcome them back.
    await expect(page.getByRole('link', { name: 'Get Started' }).first()).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.goto('/settings');
    await expect(page).toHaveURL(/\/auth\/signin/);
    await expect(signIn(context, email, password)).rejects.toThrow('422');
  });

  await test.step('the leaderboard has the points without the name', async () => {
    const lines = await leaderboardElsewhere();
    expect(lines).not.toContain(masked);
    expect(lines).toContain('Deleted member');
  });

  await test.step('nothing names the person, and every point is accounted for', async () => {
    const { rows } = await sql().query(
      'select username, display_name, email from public.user_profiles where user_id = $1',
      [userId],
    );
    expect(rows).toEqual([{ username: 'Deleted member', display_name: null, email: null }]);
    expect(await walletOf(userId)).toEqual(before);
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
  });
});
