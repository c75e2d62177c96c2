import type { Page } from '@playwright/test';
import { expect, newEmail, PASSWORD, TEST_CODE } from '../fixtures.ts';

/** Fills in the provider's own form, up to the code that comes by mail. Gives the field for the code. */
export async function askForCode(page: Page, email = newEmail()) {
  await page.getByLabel('Email address', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expect(page.getByText('Your password meets all the necessary requirements.').first()).toBeVisible();
  const code = page.getByLabel('Enter verification code');
  // The form judges the password a moment later and moves its button then: a press in that moment is lost, and people press again.
  await expect(async () => {
    if (!(await code.isVisible())) await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(code).toBeVisible({ timeout: 5000 });
  }).toPass();
  return code;
}

/** Signs up as a new person would, and waits until the welcome has led on (AUTH-05). */
export async function signUpByForm(page: Page, email = newEmail()) {
  await (await askForCode(page, email)).fill(TEST_CODE);
  await expect(page).not.toHaveURL(/\/auth\//);
}
