import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { expect, expectAccessible, signUp, test } from './fixtures.ts';
import { stepUntil, stopClock } from './support/clock.ts';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Beta Feedback' });

/** The table's rows for one person's feedback, newest first. */
async function notes(column: 'user_id' | 'email', value: string) {
  const { rows } = await sql().query(
    `select email, type, title, description, rating, status, priority from public.beta_feedback
     where ${column} = $1 order by created_at desc`,
    [value],
  );
  return rows;
}

test('FEED-01 FEED-02 FEED-03 FEED-04 a member sends feedback; the confirmation closes by itself', async ({
  page,
  context,
}) => {
  const { userId, email } = await signUp(context);
  await page.clock.install();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/__clerk\/v1\/client\?/, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto('/community');
  await page.getByRole('button', { name: 'Share Feedback' }).click();
  const dialog = dialogOf(page);
  await expect(dialog).toBeVisible();

  await test.step('the address is prefilled once the user is known', async () => {
    await expect(dialog.getByLabel(/email/i)).toHaveValue('');
    answer();
    await expect(dialog.getByLabel(/email/i)).toHaveValue(email);
    await expect(page).toHaveTitle(/\S/);
  });
  await expectAccessible(page);

  await test.step('without a text nothing is sent', async () => {
    await dialog.getByLabel('Your feedback').fill('   ');
    await dialog.getByRole('button', { name: 'Send feedback' }).click();
    await expect(dialog.getByLabel('Your feedback')).toHaveAttribute('aria-invalid', 'true');
    expect(await notes('user_id', userId)).toEqual([]);
  });

  await test.step('a rating can be cleared', async () => {
    await dialog.getByRole('radio', { name: /^4 stars/ }).press('Space');
    await expect(dialog.getByRole('radio', { name: /^4 stars/ })).toBeChecked();
    await dialog.getByRole('button', { name: /clear/i }).click();
    await expect(dialog.getByRole('radio', { checked: true, name: /star/ })).toHaveCount(0);
  });

  await dialog.getByRole('radio', { name: 'Feature' }).press('Space');
  await dialog.getByLabel('Your feedback').fill('  The board could use a map.  ');
  await stopClock(page);
  await dialog.getByRole('button', { name: 'Send feedback' }).click();
  await stepUntil(page, dialog.getByText('Your feedback is on our desk.'));
  await page.clock.runFor(2000);
  await expect(dialog).toBeHidden();
  expect(await notes('user_id', userId)).toEqual([
    {
      email,
      type: 'feature',
      title: 'Feature Request',
      description: 'The board could use a map.',
      rating: null,
      status: 'new',
      priority: 'medium',
    },
  ]);
});
