import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { newQuest, projectPoints, unwrap, walletOf } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { expectAlert, newFounder, submitAsNewMember } from './support/founder.ts';

const task = (page: Page, number: number) => page.getByRole('listitem', { name: `Task ${number}`, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' });

async function expectOnWalletPage(page: Page, figures: { balance: number; reserved: number }) {
  await page.goto('/startup/wallet');
  await expect(page.getByRole('term').filter({ hasText: 'Current balance' })).toBeVisible();
  const figure = (label: string) => page.getByRole('definition').and(page.locator(`dt:text-is("${label}") + dd`));
  await expect(figure('Current balance')).toContainText(`${figures.balance} points`);
  await expect(figure('Reserved')).toContainText(`${figures.reserved} points`);
}

test('QEDIT-07 QEDIT-08 QEDIT-14 the reserve follows budget and tasks, up and down', async ({ page, context }) => {
  const founder = await newFounder(context);
  const { campaign } = await newQuest(founder, { task: { reward_points: 20, max_completions: 10 } });
  const allocated = page.getByRole('meter', { name: 'Allocated' });
  const budget = page.getByLabel('Points budget');

  await test.step('raised', async () => {
    await page.goto('/startup');
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await expect(allocated).toHaveAttribute('aria-valuetext', /^200 of 200 points/);
    await expect(page.getByText('Budget fully allocated')).toBeVisible();
    await budget.fill('500');
    await expect(page.getByText('300 points remaining')).toBeVisible();
    await page.getByRole('button', { name: 'Add Task' }).click();
    await task(page, 2).getByLabel('Title').fill('Tell a friend');
    await task(page, 2).getByLabel('Instructions').fill('Tell a friend about us.');
    await expect(task(page, 2).getByLabel('Reward points')).toHaveValue('50');
    await task(page, 2).getByLabel('Max completions').fill('4');
    await expect(allocated).toHaveAttribute('aria-valuetext', /^400 of 500 points/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await save(page).click();
    await expect(page).toHaveURL(/\/startup$/);
    expect(await projectPoints(founder.startup.id, campaign.id)).toEqual({ free: 100, reserved: 400 });
    await expectOnWalletPage(page, { balance: 100, reserved: 400 });
  });

  await test.step('lowered', async () => {
    await page.goto(`/startup/campaigns/${campaign.id}/edit`);
    await task(page, 1).getByLabel('Reward points').fill('10');
    await budget.fill('300');
    await expect(page.getByText('Budget fully allocated')).toBeVisible();
    await page.getByRole('button', { name: 'Save Quest' }).click();
    await expect(page).toHaveURL(/\/startup$/);
    expect(await projectPoints(founder.startup.id, campaign.id)).toEqual({ free: 200, reserved: 300 });
    await expectOnWalletPage(page, { balance: 200, reserved: 300 });
  });
});

test('C-75 C-113 BEY-07 with participants, promised terms can only be improved; an end date is set and shown to members', async ({
  page,
  context,
  newBrowser,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409 .*update_campaign/);
  const founder = await newFounder(context);
  const { campaign, taskId } = await newQuest(founder, {
    campaign: {
      title: `Kites ${randomUUID().slice(0, 8)}`,
      custom_reward_title: 'A mug',
      custom_reward_description: 'By post',
    },
    task: { reward_points: 20, max_completions: 5 },
  });
  await submitAsNewMember(taskId);
  await page.goto(`/startup/campaigns/${campaign.id}/edit`);
  const points = task(page, 1).getByLabel('Reward points');
  const reward = page.getByLabel('Custom reward title');
  const toCorrect = page.getByRole('region', { name: 'What to correct' });

  await test.step('lower terms are refused, all at once and at their fields', async () => {
    await expect(page.getByRole('radio', { name: /^Points:/ })).toBeDisabled();
    await expect(page.getByLabel('Collect participants’ emails')).toBeDisabled();
    await points.fill('10');
    await reward.fill('A pin');
    await save(page).click();
    await expect(points).toBeFocused();
    await expect(toCorrect.getByRole('button')).toHaveText([
      'Members have taken part for the 20 points of Task 1. You can raise them, not lower them.',
      'Members have taken part for the custom reward. You can add to its words, not change or remove them.',
    ]);
    await expectAccessible(page);
    await toCorrect.getByRole('button').last().click();
    await expect(reward).toBeFocused();
  });

  await test.step('higher terms are saved, with an end date', async () => {
    await reward.fill('A mug and a pin');
    await points.fill('30');
    await page.getByLabel('Points budget').fill('200');
    await task(page, 1).getByLabel('Max completions').fill('6');
    const end = new Date(Date.now() + 48 * 3_600_000);
    const local = new Date(end.getTime() - end.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    await page.getByLabel('Ends').fill(local);
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('A mug and a pin');
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Ends in 2 days');
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Save Quest' }).click();
    await expect(page).toHaveURL(/\/startup$/);
    await expect(page.getByText('Ends in 2 days')).toBeVisible();
    expect(await projectPoints(founder.startup.id, campaign.id)).toMatchObject({ reserved: 150 });
  });

  await test.step('members see it on the card and on the page', async () => {
    const visitor = await (await newBrowser()).newPage();
    await visitor.goto(`/browse?q=${encodeURIComponent(campaign.title)}`);
    await expect(visitor.getByRole('listitem').filter({ hasText: campaign.title })).toContainText('Ends in 2 days');
    await visitor.goto(`/quest/${campaign.id}`);
    await expect(visitor.getByText('Ends in 2 days')).toBeVisible();
    await expect(visitor.getByText('A mug and a pin').first()).toBeVisible();
  });

  await test.step('paused, it is off the board and can be published again', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Pause quest' }).click();
    await expect(page.getByText('Paused', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(page.getByText('Published', { exact: true })).toBeVisible();
  });
});

/** Drags the first task by its handle below the middle of the second, on a screen with room for both. */
async function dragFirstDown(page: Page) {
  await page.setViewportSize({ width: 1280, height: 4000 });
  const handle = page.getByRole('button', { name: 'Move task 1', exact: true });
  // Waits until the handle no longer moves.
  await handle.hover();
  const [from, below] = await Promise.all([handle.boundingBox(), task(page, 2).boundingBox()]);
  if (!from || !below) throw new Error('the tasks are not on the screen');
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2, below.y + below.height / 2 + 20);
  await expect(task(page, 2)).toHaveClass(/shadow/);
  await page.mouse.up();
}

test('QEDIT-05 QEDIT-06 tasks are added, moved and removed by keyboard alone, and dragged with the mouse', {
  tag: '@desktop',
}, async ({ page, context }) => {
  const founder = await newFounder(context);
  const { campaign, taskId } = await newQuest(founder);
  await page.goto(`/startup/campaigns/${campaign.id}/edit`);

  for (const number of [2, 3]) {
    await page.getByRole('button', { name: 'Add Task' }).focus();
    await page.keyboard.press('Enter');
    await expect(task(page, number).getByLabel('Task title')).toBeFocused();
    await page.keyboard.type(`Added ${number}`);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Do it.');
  }
  await expect(task(page, 3).getByLabel('Max completions')).toHaveValue('1');
  await expect(task(page, 3).getByLabel('Type', { exact: false }).first()).toHaveValue('visit');
  await expect(task(page, 3).getByRole('radio', { name: /^Screenshot/ })).toBeChecked();

  await page.getByRole('button', { name: 'Move task 3', exact: true }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('Task moved to position 2 of 3')).toBeAttached();
  await expect(page.getByRole('button', { name: 'Move task 2', exact: true })).toBeFocused();
  await dragFirstDown(page);
  await expect(task(page, 1).getByLabel('Title')).toHaveValue('Added 3');
  await page.getByRole('button', { name: 'Remove task 3' }).focus();
  await page.keyboard.press('Enter');
  await expect(task(page, 3)).toHaveCount(0);
  await save(page).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/startup$/);

  const stored = founder.client.from('tasks').select('id, title, type, requires_proof, proof_type');
  const tasks = await unwrap(stored.eq('campaign_id', campaign.id).order('order_index'));
  expect(tasks).toMatchObject([
    { title: 'Added 3', type: 'visit', requires_proof: true, proof_type: 'screenshot' },
    { id: taskId, title: 'Try the product' },
  ]);
});

test('QEDIT-05 a task is dragged by its handle with a finger', async ({ page, context }) => {
  const founder = await newFounder(context);
  const { campaign, taskId } = await newQuest(founder);
  await page.goto(`/startup/campaigns/${campaign.id}/edit`);
  await page.getByLabel('Points budget').fill('400');
  await page.getByRole('button', { name: 'Add Task' }).click();
  await task(page, 2).getByLabel('Title').fill('Dragged up');
  await task(page, 2).getByLabel('Instructions').fill('Do it.');

  const handle = page.getByRole('button', { name: 'Move task 2', exact: true });
  // Scrolls to it, and waits until it no longer moves.
  await handle.hover();
  const [from, above] = await Promise.all([handle.boundingBox(), task(page, 1).boundingBox()]);
  if (!from || !above) throw new Error('the tasks are not on the screen');
  const x = from.x + from.width / 2;
  const start = { x, y: from.y + from.height / 2 };
  // Above the middle of the first task. If that is out of view, the page scrolls under the resting finger.
  const end = { x, y: Math.max(above.y + above.height / 2 - 20, 10) };
  const dragged = async () => {
    await expect(task(page, 1)).toHaveClass(/shadow/);
    await expect(task(page, 1).getByLabel('Title')).toHaveValue('Try the product');
  };

  const touch = await context.newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await send('touchStart', [start]);
  await send('touchMove', [end]);
  await dragged();
  await send('touchEnd', []);
  await expect(task(page, 1).getByLabel('Title')).toHaveValue('Dragged up');
  await save(page).click();
  await expect(page).toHaveURL(/\/startup$/);
  const stored = founder.client.from('tasks').select('id, title').eq('campaign_id', campaign.id).order('order_index');
  expect(await unwrap(stored)).toMatchObject([{ title: 'Dragged up' }, { id: taskId }]);
});

test('QEDIT-15 deleting asks with its consequence, returns unspent points and keeps earned ones', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  const { campaign, taskId } = await newQuest(founder);
  const { member } = await submitAsNewMember(taskId);
  await page.goto(`/startup/campaigns/${campaign.id}/edit`);

  await page.getByRole('button', { name: 'Remove task 1' }).click();
  const removal = page.getByRole('alertdialog', { name: /Remove/ });
  await expect(removal).toContainText('1 submission to it will be deleted when you save.');
  await removal.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Delete Quest' }).click();
  const question = page.getByRole('alertdialog', { name: /^Delete/ });
  await expect(question).toContainText(
    `Are you sure you want to delete "${campaign.title}"? This action cannot be undone and will remove all associated tasks and submissions.`,
  );
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Points budget')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Quest' }).click();
  await question.getByRole('button', { name: 'Delete quest' }).click();
  await expectAlert(page, 'Quest deleted successfully!');
  await expect(page).toHaveURL(/\/startup$/);
  await expect(page.getByText('No quests yet')).toBeVisible();

  const left = await founder.client.from('submissions').select('id').eq('campaign_id', campaign.id);
  expect(left.data).toEqual([]);
  expect(await projectPoints(founder.startup.id, campaign.id)).toEqual({ free: 490, reserved: 0 });
  expect(await walletOf(member.id)).toMatchObject({ points: 10 });
});
