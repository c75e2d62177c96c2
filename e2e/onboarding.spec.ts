import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { newOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, signUp, test } from './fixtures.ts';

/** Whether nothing lies over the middle of an element. */
function isUncovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

const invite = (page: Page) => page.getByRole('region', { name: 'First steps' });

test('ONB-01 ONB-02 C-116 a new member completes a first quest in the wizard, sees its points, enters a profile, and is not asked again', async ({
  page,
  context,
}) => {
  // No other quest pays more, so that this one is offered.
  const { taskId } = await newQuest(await newOwner(), {
    task: { title: 'Open the harbour map', requires_proof: false, reward_points: 500, max_completions: 1 },
  });
  const { userId, client } = await signUp(context);
  await page.goto('/community');
  await invite(page).getByRole('link', { name: 'Show me around' }).click();
  await expect(page.getByText('Step 1 of 2')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('value', '1');
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'Find a quest' })).toHaveAttribute('href', '/community');
  await expect(main.getByRole('heading', { name: 'Open the harbour map' })).toBeVisible();
  await main.getByRole('button', { name: 'Quick Verify' }).click();
  await expect(main.getByText('Your first quest is done.')).toBeVisible();
  const { rows } = await sql().query('select task_id, status from public.submissions where user_id = $1', [userId]);
  expect(rows).toEqual([{ task_id: taskId, status: 'approved' }]);
  await expectAccessible(page);

  await main.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Step 2 of 2')).toBeVisible();
  await expect(main.getByText(/500 points\s*in your wallet/)).toBeVisible();
  await expect(main.getByRole('link', { name: 'Open your wallet' })).toHaveAttribute('href', '/rewards');
  await expect(main.getByRole('heading', { name: 'Check your wallet' })).toBeFocused();

  await test.step('a reload keeps the step', async () => {
    await page.reload();
    await expect(page.getByText('Step 2 of 2')).toBeVisible();
  });

  await test.step('by keyboard, no choice is focused under the bar, which leaves a low window to the content', async () => {
    const choices = main.getByRole('group', { name: 'What interests you?' });
    await main.getByLabel('What should we call you?').focus();
    for (const choice of await choices.locator('label').all()) {
      await page.keyboard.press('Tab');
      await expect(choice.locator(':focus')).toHaveCount(1);
      await expect.poll(() => choice.evaluate(isUncovered)).toBe(true);
    }
    const size = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 256 });
    await main.getByLabel('What should we call you?').scrollIntoViewIfNeeded();
    await expect(main.getByRole('button', { name: 'Finish' })).not.toBeInViewport();
    if (size) await page.setViewportSize(size);
  });

  await main.getByLabel('What should we call you?').fill('Robin Reed');
  await main.getByText('Travel', { exact: true }).click();
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Finish' }).click();
  await expect(page).toHaveURL(/\/community$/);
  const profile = await unwrap(client.from('user_profiles').select('display_name, interests').single());
  expect(profile).toEqual({ display_name: 'Robin Reed', interests: ['Travel'] });
  await expect(page.getByRole('heading', { level: 1, name: 'Community Dashboard' })).toBeVisible();
  await expect(invite(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Community Dashboard' })).toBeVisible();
  await expect(invite(page)).toHaveCount(0);
});

test('ONB-01 skipping continues and keeps the invitation until it is dismissed', async ({ page, context }) => {
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
