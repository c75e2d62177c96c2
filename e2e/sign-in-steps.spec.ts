import type { Locator, Page } from '@playwright/test';
import { expect, expectNoSidewaysScroll, newEmail, PASSWORD, signUp, TEST_CODE, test } from './fixtures.ts';
import { askForCode } from './support/sign-up.ts';

const emailField = (page: Page) => page.getByLabel('Email address', { exact: true });
const picker = (page: Page) => page.getByRole('radiogroup', { name: 'I am a' });
/** Where a button stands when it has stopped moving. */
async function placeOf(button: Locator) {
  await button.hover();
  return button.boundingBox();
}
const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });

test('AUTH-04 signing up names the terms; the code step shows the address, submits the code as it is typed and lets the address be changed', async ({
  page,
}) => {
  await page.goto('/auth/signup?role=startup_unverified');
  await expect(title(page)).toHaveText('Join the Community');
  await expect(page.getByText(/Post quests for your product/)).toBeVisible();
  await expectBorders(page, '.cl-formFieldInput', 2);
  for (const [name, heading] of [
    ['terms of use', 'Terms of use'],
    ['privacy policy', 'Privacy policy'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name, exact: true }).click();
    await expect(title(page)).toHaveText(heading);
    await page.goBack();
    await expect(title(page)).toHaveText('Join the Community');
  }
  const continueButton = page.getByRole('button', { name: 'Continue', exact: true });
  const place = await placeOf(continueButton);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await expect(page.locator('.cl-formFieldInfoText__password, .cl-formFieldErrorText__password')).toHaveText(
    'Use 8 or more characters.',
  );
  expect(await continueButton.boundingBox(), 'the button does not move away from a press').toEqual(place);
  const mistyped = newEmail('an-address-too-long-for-one-line');
  const code = await askForCode(page, mistyped);

  await expect(title(page)).toHaveText('Check your email');
  await expect(page.getByRole('main')).toContainText(`We sent a code to${mistyped}`);
  const shown = page.locator('.cl-identityPreviewText');
  expect(await shown.evaluate((text) => text.scrollWidth - text.clientWidth), 'hidden part of the address').toBe(0);
  await expectNoSidewaysScroll(page);
  await expect(picker(page)).toBeHidden();
  await expect(page.getByText('Join the Community')).toBeHidden();
  await expect(code).toBeFocused();
  await expectBorders(page, '.cl-otpCodeFieldInput', 6);

  await page.getByRole('button', { name: 'Change email address' }).click();
  await expect(picker(page)).toBeVisible();
  await expect(page.getByRole('radio', { name: /Startup/ })).toBeChecked();
  const right = newEmail('right');
  await askForCode(page, right);
  await expect(page.getByRole('main')).toContainText(`We sent a code to${right}`);
  await expect(code).toBeFocused();
  await page.keyboard.type(TEST_CODE);
  await expect(title(page)).toHaveText('Welcome to Questboard');
});

test('AUTH-01 a forgotten password: each step explains what it needs', async ({ page, newBrowser }) => {
  const elsewhere = await newBrowser();
  const { email } = await signUp(elsewhere);
  await page.goto('/auth/signin');
  await emailField(page).fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(title(page)).toHaveText('Enter your password');
  await expect(page.getByRole('main')).toContainText(`You are signing in as${email}`);
  await expect(picker(page)).toBeHidden();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.getByText('Forgot password?').click();
  await expect(title(page)).toHaveText('Forgot your password?');
  await page.getByRole('button', { name: 'Mail me a code to reset it' }).click();
  await expect(title(page)).toHaveText('Reset your password');
  await expect(page.getByRole('main')).toContainText(
    `Enter the code, then choose a new password. We sent it to${email}`,
  );
  await expect(page.getByLabel('Enter verification code')).toBeFocused();
  await page.keyboard.type(TEST_CODE);
  await expect(title(page)).toHaveText('Choose a new password');
  const save = page.getByRole('button', { name: 'Save and sign in' });
  const place = await placeOf(save);
  await page.getByLabel('New password', { exact: true }).fill(`${PASSWORD}-new`);
  await expect(page.locator('.cl-formFieldSuccessText__password')).toHaveText('This password is strong enough.');
  await page.getByLabel('Confirm password', { exact: true }).fill(`${PASSWORD}-new`);
  await expect(page.locator('.cl-formFieldSuccessText__confirmPassword')).toHaveText('Passwords match.');
  expect(await save.boundingBox(), 'the button does not move away from a press').toEqual(place);
  await save.click();
  await expect(page).toHaveURL(/\/community$/);
});

/** Relative luminance of a computed colour (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  expect(alpha, `${color} is opaque`).toBe(1);
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The border of each field and the background around it. */
async function borderContrasts(fields: Locator): Promise<number[]> {
  const found = await fields.evaluateAll((elements) =>
    elements.map((element) => {
      const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
      let around = element.parentElement;
      while (around && /rgba\(.*, 0\)|transparent/.test(getComputedStyle(around).backgroundColor)) {
        around = around.parentElement;
      }
      const background = around ? getComputedStyle(around).backgroundColor : '';
      return { line: `${borderTopWidth} ${borderTopStyle}`, color: borderTopColor, background };
    }),
  );
  return found.map(({ line, color, background }) => {
    expect(line).toBe('1px solid');
    const [light = 0, dark = 0] = [luminance(color), luminance(background)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  });
}

/** The provider's fields have a border of 3:1 in both themes. */
async function expectBorders(page: Page, fields: string, count: number) {
  await expect(page.locator(fields)).toHaveCount(count);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const contrasts = await borderContrasts(page.locator(fields));
    expect(contrasts).toHaveLength(count);
    for (const contrast of contrasts) expect(contrast, colorScheme).toBeGreaterThanOrEqual(3);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test.describe('with a social provider', () => {
  // The emulator's policy does not allow Clerk's pictures; a hosted site's does (vite/hosting/policy.ts).
  test.use({ expectedErrors: [/img\.clerk\.com/] });

  test('AUTH-01 social sign-in is offered only when the provider has it', async ({ page }) => {
    const social = page.getByRole('button', { name: /Google/ });
    await page.goto('/auth/signup');
    await expect(emailField(page)).toBeVisible();
    await expect(social).toBeHidden();

    await page.route(/\/__clerk\/v1\/environment/, async (route) => {
      const answer = await route.fetch();
      const environment = await answer.json();
      environment.user_settings.social.oauth_google = {
        enabled: true,
        required: false,
        authenticatable: true,
        block_email_subaddresses: false,
        strategy: 'oauth_google',
        not_selectable: false,
        deprecated: false,
        name: 'Google',
        logo_url: '/favicon.svg',
      };
      await route.fulfill({ response: answer, json: environment });
    });
    for (const path of ['/auth/signup', '/auth/signin']) {
      await page.goto(path);
      await expect(social).toBeVisible();
    }
  });
});
