import type { Page } from '@playwright/test';
import { expect, newEmail, PASSWORD, TEST_CODE } from '../fixtures.ts';

/** Fills in the provider's own form, up to the code that comes by mail. Gives the field for the code. */
export async function askForCode(page: Page, email = newEmail()) {
  await page.getByLabel('Email address', { exact: true }).fill(email);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill(PASSWORD);
  await expect(page.getByText('Your password meets all the necessary requirements.').first()).toBeVisible();
  // By the keyboard: the form still moves its Continue button after judging the password, and would lose a press on it.
  await password.press('Enter');
  const code = page.getByLabel('Enter verification code');
  await expect(code).toBeVisible();
  return code;
}

/** Signs up as a new person would, and waits until the welcome has led on (AUTH-05). */
export async function signUpByForm(page: Page, email = newEmail()) {
  await (await askForCode(page, email)).fill(TEST_CODE);
  await expect(page).not.toHaveURL(/\/auth\//);
}
