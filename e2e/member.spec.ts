import type { Locator, Page } from '@playwright/test';
import { newOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, signIn, signUp, test } from './fixtures.ts';
import { stepUntil, stopClock } from './support/clock.ts';
import { PNG } from './support/pictures.ts';

const LINK = 'https://blog.example/tried-it';

/** What the browser itself logs when the server refuses a request. */
const REFUSALS = /status of 4\d\d/;

const proofDialog = (page: Page) => page.getByRole('dialog', { name: /Proof$/ });

/** Opens the quest's page and the dialog of its only task. */
async function openProofDialog(page: Page, campaignId: string) {
  await page.goto(`/community/quest/${campaignId}`);
  await page.getByRole('button', { name: 'Submit Proof' }).click();
  return proofDialog(page);
}

/** Switches the side in the header, or in the menu on phones. */
async function switchSide(page: Page, side: 'Community' | 'Project') {
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  await expect(page.getByRole('button', { name: /Your menu/ })).toBeVisible();
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('group', { name: 'Your role' }).getByRole('button', { name: side, exact: true }).click();
}

test.describe('limits', () => {
  test.use({ expectedErrors: [REFUSALS] });

  test('RULE-12 C-99 a task completed in another tab counts once, and is shown as completed', async ({
    page,
    context,
  }) => {
    await signUp(context);
    const { campaign } = await newQuest(await newOwner());
    const other = await context.newPage();
    const late = await openProofDialog(other, campaign.id);
    await late.getByLabel('Link').fill(LINK);
    const first = await openProofDialog(page, campaign.id);
    await first.getByLabel('Link').fill(LINK);
    await first.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('heading', { name: 'Quest Complete' })).toBeVisible();

    await other.bringToFront();
    await late.getByRole('button', { name: 'Submit' }).click();
    // The existing submission is the answer, not an error.
    await expect(late).toBeHidden();
    await expect(other.getByRole('heading', { name: 'Quest Complete' })).toBeVisible();
    await expect(other.getByText('Completed').first()).toBeVisible();
  });
});

test.describe('interruptions', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR/] });

  test('QUEST-18 QUEST-22 BEY-11 offline, a submit says so; the draft survives a closed tab, and is sent back online', async ({
    page,
    context,
  }) => {
    await signUp(context);
    const { campaign } = await newQuest(await newOwner());
    let dialog = await openProofDialog(page, campaign.id);
    await dialog.getByLabel('Link').fill(LINK);
    await context.setOffline(true);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    // Nothing was sent, so there is nothing to find out.
    await expect(dialog.getByText(/Network error/)).toBeVisible();
    await context.setOffline(false);
    const other = await context.newPage();
    await page.close();
    dialog = await openProofDialog(other, campaign.id);
    await expect(dialog.getByLabel('Link')).toHaveValue(LINK);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog).toBeHidden();
    await expect(other.getByRole('heading', { name: 'Quest Complete' })).toBeVisible();
  });

  test('QUEST-22 BEY-11 a session that ends during a dialog is reported; the draft survives signing in again, and is deleted on sign-out', async ({
    page,
    context,
  }) => {
    const account = await signUp(context);
    const { campaign } = await newQuest(await newOwner());
    let dialog = await openProofDialog(page, campaign.id);
    await dialog.getByLabel('Link').fill(LINK);
    // Ended by another device: the token is refused, and there will be no new one.
    await page.route(/rpc\/submit_proof/, (route) =>
      route.fulfill({ status: 401, json: { code: 'PGRST301', message: 'JWT expired', details: null, hint: null } }),
    );
    const ended = await context.request.delete(`${process.env.APP_URL}/__clerk/v1/client/sessions`);
    expect(ended.ok()).toBe(true);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog.getByText('Authentication error. Please refresh the page and try again.')).toBeVisible();
    await page.reload();
    await expect(page).toHaveURL(/\/auth\/signin\?redirect=/);

    await page.unroute(/rpc\/submit_proof/);
    await signIn(context, account.email);
    await page.goto(`/community/quest/${campaign.id}`);
    await page.getByRole('button', { name: 'Submit Proof' }).click();
    dialog = proofDialog(page);
    await expect(dialog.getByLabel('Link')).toHaveValue(LINK);

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(page.getByRole('link', { name: /Sign In|Join/ }).first()).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('proof-draft'))))
      .toEqual([]);
  });
});

test('QUEST-13 QUEST-14 HEAD-06 quick verify completes a task with one press and shows the earned points', async ({
  page,
  context,
}) => {
  await signUp(context);
  const { campaign } = await newQuest(await newOwner(), { task: { requires_proof: false, reward_points: 30 } });
  await page.clock.install();
  await page.goto(`/community/quest/${campaign.id}`);
  await expect(page.getByRole('banner')).toContainText(/\D0 points/);
  await expect(page.getByRole('button', { name: 'Quick Verify' })).toBeVisible();
  await stopClock(page);
  await page.getByRole('button', { name: 'Quick Verify' }).click();
  // The toast stays while the pointer is on it.
  await page.mouse.move(0, 0);
  const toast = page.getByRole('status').filter({ hasText: 'Task completed! +30 points earned!' });
  await stepUntil(page, toast);
  const box = await toast.boundingBox();
  const { width } = page.viewportSize() ?? { width: 0 };
  expect((box?.x ?? 0) + (box?.width ?? 0), 'the toast ends within the screen').toBeLessThanOrEqual(width);
  if (width < 640) {
    const overlaps = async (other: Locator) => {
      const [above, below] = await Promise.all([toast.boundingBox(), other.boundingBox()]);
      return above === null || below === null || (above.y < below.y + below.height && below.y < above.y + above.height);
    };
    expect(await overlaps(page.getByRole('banner')), 'the toast covers the header').toBe(false);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Share Feedback' }).last().click();
    await stepUntil(page, dialog);
    await expect.poll(() => overlaps(dialog), 'the toast covers the dialog').toBe(false);
    await page.keyboard.press('Escape');
    await stepUntil(page, dialog, 'hidden');
  }
  // The toast closes by itself.
  await page.clock.runFor(4000);
  // Its last timer starts when what the one before has changed is on the screen.
  await stepUntil(page, toast, 'hidden');
  await page.clock.resume();
  await expect(page.getByText('Completed').first()).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('30 points');
});

test('FEED-06 FEED-07 FEED-08 a member rates a project by keyboard and changes the rating later', async ({
  page,
  context,
}) => {
  await signUp(context);
  const { startup } = await newOwner();
  await page.goto(`/community/project/${startup.id}`);
  await page.getByRole('button', { name: 'Leave feedback' }).click();
  const form = page.getByRole('form', { name: 'Rate this project' });
  const submit = form.getByRole('button', { name: 'Submit feedback' });
  await form.getByRole('radio', { name: '1 star: Poor' }).press('Space');
  for (let star = 2; star <= 4; star++) await page.keyboard.press('ArrowRight');
  await expect(form.getByRole('radio', { name: '4 stars: Very Good' })).toBeChecked();
  await expect(submit).toBeDisabled();
  await form.getByLabel('Your feedback').fill('Does what it says.');
  await expectAccessible(page);
  await submit.click();
  await expect(page.getByText('Thank you for your feedback! It has been submitted.')).toBeVisible();
  await expect(page.getByRole('img', { name: '4 out of 5 stars' }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Update your feedback' }).click();
  await expect(form.getByLabel('Your feedback')).toHaveValue('Does what it says.');
  await form.getByRole('radio', { name: '4 stars: Very Good' }).press('ArrowRight');
  await form.getByRole('button', { name: 'Update feedback' }).click();
  await expect(page.getByRole('img', { name: '5 out of 5 stars' }).first()).toBeVisible();
  await expect(page.getByRole('img', { name: '4 out of 5 stars' })).toHaveCount(0);
});

test('PROF-01 PROF-04 PROF-05 a member edits the profile, and the settings show it', async ({ page, context }) => {
  const { email, userId, client } = await signUp(context);
  await page.goto('/profile');
  const name = page.getByLabel('Display name');
  await expect(name).not.toBeEditable();
  await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
  // Until somebody chooses one, the username is what stands before the at-sign.
  await expect(page.getByLabel('Username')).toHaveValue(email.split('@')[0] ?? '');
  await expect(page.getByRole('region', { name: 'Quick stats' })).toContainText('Player Level');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await name.fill('Not this one');
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Not this one');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(name).not.toHaveValue('Not this one');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await name.fill('Ada Harbour');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();

  await page.goto('/settings');
  await expect(name).toHaveValue('Ada Harbour');
  const saved = await unwrap(
    client.from('user_profiles').select('username, display_name, email').eq('user_id', userId).single(),
  );
  expect(saved).toEqual({ username: email.split('@')[0], display_name: 'Ada Harbour', email });
  await page.getByLabel('Username').fill('ada-of-the-harbour');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Username')).toHaveValue('ada-of-the-harbour');
});

test('C-108 a member uploads a picture, which the header shows at once, and removes it', async ({ page, context }) => {
  await signUp(context);
  await page.goto('/settings');
  const picture = page.getByRole('banner', { includeHidden: true }).locator('img');
  await page.getByRole('button', { name: 'Manage account' }).click();
  const account = page.getByRole('dialog');
  const colorOf = (element: Element) => getComputedStyle(element).color;
  // The provider's own colour of its badges is hard to read.
  expect(await account.getByText('Primary').evaluate(colorOf)).toBe(await page.locator('body').evaluate(colorOf));
  const update = account.getByRole('button', { name: 'Update profile' });
  await update.click();
  await account.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG });
  await expect(picture).toHaveJSProperty('naturalWidth', 2);
  await update.click();
  await account.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(picture).toHaveCount(0);
});

test('REWARD-04 the button that lengthens and shortens the leaderboard stays in the window, with its focus', async ({
  page,
  context,
}) => {
  await signUp(context);
  await page.goto('/rewards');
  const toggle = page.getByRole('region', { name: 'Beta Leaderboard' }).getByRole('button', { name: /^Show/ });
  await expect(toggle).toHaveText(/^Show all \d+$/);
  await toggle.focus();
  for (const name of ['Show the top 10', /^Show all/, 'Show the top 10']) {
    await page.keyboard.press('Enter');
    await expect(toggle).toHaveText(name);
    await expect(toggle).toBeFocused();
    await expect(toggle).toBeInViewport({ ratio: 1 });
  }
  await page.getByRole('region', { name: 'Beta Leaderboard' }).getByRole('listitem').last().scrollIntoViewIfNeeded();
  await page.keyboard.press('Enter');
  await expect(toggle).toHaveText(/^Show all/);
  await expect(toggle).toBeInViewport({ ratio: 1 });
});

test('HEAD-04 HEAD-05 HEAD-06 switching the side in one tab updates the other, including the points chip', async ({
  page,
  context,
}) => {
  const { client, userId } = await signUp(context);
  const other = await context.newPage();
  await other.goto('/rewards');
  await expect(other.getByRole('banner')).toContainText('0 points');
  await page.goto('/community');
  await switchSide(page, 'Project');
  await expect(page).toHaveURL(/\/startup$/);
  await expect(other.getByRole('banner')).not.toContainText('points');
  const saved = () =>
    unwrap(client.from('user_profiles').select('role').eq('user_id', userId).single()).then(({ role }) => role);
  await expect.poll(saved).toBe('startup_unverified');

  // On desktops the switch is in the header, on phones in its menu.
  await page.setViewportSize({ width: 1280, height: 800 });
  await switchSide(page, 'Community');
  await expect(page).toHaveURL(/\/community$/);
  await expect(other.getByRole('banner')).toContainText('0 points');
});
