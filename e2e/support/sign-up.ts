import type { Page } from '@playwright/test';
import { expect, newEmail, PASSWORD, TEST_CODE } from '../fixtures.ts';

/** Fills in the provider's own form, up to the mailed code. Returns the field for the code. */
export async function askForCode(page: Page, email = newEmail()) {
  await page.getByLabel('Email address', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const code = page.getByLabel('Enter verification code');
  await expect(code).toBeVisible();
  return code;
}

/** Signs up like a new user, and waits until the welcome page has redirected (AUTH-05). */
export async function signUpByForm(page: Page, email = newEmail()) {
  await (await askForCode(page, email)).fill(TEST_CODE);
  await expect(page).not.toHaveURL(/\/auth\//);
}
