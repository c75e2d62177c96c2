import type { Page } from '@playwright/test';
import { expect, newEmail, PASSWORD, TEST_CODE } from '../fixtures.ts';

/** Fills in the provider's own form, up to the mailed code. Returns the field for the code. */
export async function askForCode(page: Page, email = newEmail()) {
  await page.getByLabel('Email address', { exact: true }).fill(email);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill(PASSWORD);
  await expect(page.getByText('Your password meets all the necessary requirements.').first()).toBeVisible();
  // By keyboard: the form still moves its Continue button after checking the password, and would lose a click on it.
  await password.press('Enter');
  const code = page.getByLabel('Enter verification code');
  await expect(code).toBeVisible();
  return code;
}

/** Signs up like a new user, and waits until the welcome page has redirected (AUTH-05). */
export async function signUpByForm(page: Page, email = newEmail()) {
  await (await askForCode(page, email)).fill(TEST_CODE);
  await expect(page).not.toHaveURL(/\/auth\//);
}
