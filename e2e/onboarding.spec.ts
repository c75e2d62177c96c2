import type { Page } from '@playwright/test';
import { expect, signUp, test } from './fixtures.ts';

const invite = (page: Page) => page.getByRole('region', { name: 'First steps' });

test('ONB-01 ONB-02 a new member is invited, goes through the steps, and is not asked again', async ({
  page,
  context,
}) => {
  await signUp(context);
  await page.goto('/community');
  await invite(page).getByRole('link', { name: 'Show me around' }).click();
  await expect(page.getByText('Step 1 of 2')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('value', '1');
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'Find a quest' })).toHaveAttribute('href', '/community');
  await main.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Step 2 of 2')).toBeVisible();
  await expect(main.getByRole('link', { name: 'Open your wallet' })).toHaveAttribute('href', '/rewards');
  await expect(main.getByRole('heading', { name: 'Check your wallet' })).toBeFocused();

  await test.step('reloading keeps the step', async () => {
    await page.reload();
    await expect(page.getByText('Step 2 of 2')).toBeVisible();
  });

  await main.getByRole('button', { name: 'Finish' }).click();
  await expect(page).toHaveURL(/\/community$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Community Dashboard' })).toBeVisible();
  await expect(invite(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Community Dashboard' })).toBeVisible();
  await expect(invite(page)).toHaveCount(0);
});

test('ONB-01 skipping leads on and leaves the invitation until it is waved away', async ({ page, context }) => {
  await signUp(context);
  await page.goto('/onboarding');
  await page.getByRole('link', { name: 'Skip for now' }).click();
  await expect(page).toHaveURL(/\/community$/);
  await expect(invite(page)).toBeVisible();
  await page.reload();
  await invite(page).getByRole('button', { name: 'No, thanks' }).click();
  await expect(invite(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Community Dashboard' })).toBeVisible();
  await expect(invite(page)).toHaveCount(0);
});
