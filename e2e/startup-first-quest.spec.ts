import { newOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, expectUncovered, pressUnder, test } from './fixtures.ts';
import { completeSomeQuest, expectAlert, newFounder, submitAsNewMember } from './support/founder.ts';
import { follow } from './support/screens.ts';

const BETA_LIMIT =
  'Beta limit reached: You can only create 1 quest during the beta period. Please wait for the full launch to create more quests.';

/** What a template with and one without a proof prefills, its field, and what remains of a pasted address. */
const TEMPLATES = [
  ['Write a product review', 75, 'Link', 'Product URL', 'http://kite.example', 'kite.example'],
  ['Join Discord', 30, 'No proof', 'Discord invite', 'https://discord.gg/kites', 'kites'],
] as const;

test('QNEW-07 QNEW-08 QNEW-09 QNEW-10 QNEW-18 QNEW-19 a quest from a template is live at once, with a proof and without', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  await completeSomeQuest(founder);

  for (const [name, points, verification, field, pasted, kept] of TEMPLATES) {
    await test.step(name, async () => {
      await page.goto('/startup/create-quest');
      const template = (title: string) => page.getByRole('radio', { name: title });
      await template(name).check();
      await page.getByLabel(field).fill(pasted);
      await expect(page.getByLabel(field)).toHaveValue(kept);

      // Choosing again prefills everything and clears the link.
      await page.getByLabel('Quest title').fill('Something else');
      await template('Custom quest').check();
      await template(name).check();
      await expect(page.getByLabel('Quest title')).not.toHaveValue(/^(Something else)?$/);
      await expect(page.getByLabel(/^Description/)).not.toHaveValue('');
      await expect(page.getByLabel('Points per person')).toHaveValue(String(points));
      await expect(page.getByRole('radio', { name: new RegExp(`^${verification}:`) })).toBeChecked();
      await expect(page.getByLabel('Verify automatically')).toBeChecked({ checked: verification === 'No proof' });
      await expect(page.getByLabel(field)).toHaveValue('');

      await page.getByLabel('Max participants').fill('5');
      await page.getByRole('button', { name: 'Create Quest' }).click();
      await expect(page.getByLabel(field)).toBeFocused();
      await expect(page.getByRole('alert').filter({ hasText: `Please fill in: ${field}` })).toBeVisible();
      await page.getByLabel(field).pressSequentially(pasted);
      await expect(page.getByLabel(field)).toHaveValue(kept);
      await page.getByRole('button', { name: 'Create Quest' }).click();
      await expect(page).toHaveURL(/\/startup$/);
      await expect(page.getByText('Your quest is live')).toBeVisible();

      const own = founder.client.from('campaigns').select('id, status, tasks(*)').eq('startup_id', founder.startup.id);
      const { id, status, tasks } = await unwrap(own.single());
      expect(status).toBe('published');
      expect(tasks).toHaveLength(1);
      expect(tasks[0]).toMatchObject({
        reward_points: points,
        max_completions: 5,
        requires_proof: verification === 'Link',
        proof_type: verification === 'Link' ? 'link' : 'text',
        auto_verify: verification === 'No proof',
      });
      expect(tasks[0]?.instructions_md).toContain(kept);
      await unwrap(founder.client.rpc('delete_campaign', { p_campaign_id: id }));
    });
  }
});

test('ROUTE-11 QNEW-03 QNEW-04 C-114 the gate opens when a quest was completed in another tab, and a skip is remembered', async ({
  page,
  context,
}) => {
  const { campaign } = await newQuest(await newOwner('neighbour'), {
    task: { requires_proof: false, proof_type: 'text' },
  });
  await newFounder(context);

  await page.goto('/startup');
  for (const path of ['/startup/campaigns/create', '/startup/campaigns/new', '/startup/create-quest']) {
    await follow(page, [path, 'Create a quest']);
    await expect(page.getByRole('heading', { name: 'Explore first' })).toBeVisible();
  }
  const suggestions = page.getByRole('region', { name: 'Quests to try' }).getByRole('link');
  await expect(suggestions.first()).toHaveAttribute('href', /^\/quest\/[0-9a-f-]{36}$/);
  expect(await suggestions.count()).toBeLessThanOrEqual(8);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const otherTab = await context.newPage();
  await otherTab.goto(`/quest/${campaign.id}`);
  await otherTab.getByRole('button', { name: 'Quick Verify' }).click();
  await expect(otherTab.getByText('Quest Complete').first()).toBeVisible();
  await otherTab.close();

  // Every page of an automated browser always counts as focused; the event simulates a person's return.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('heading', { name: 'You are ready' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recently completed' })).toContainText(campaign.title);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('form', { name: 'Create a quest' })).toBeVisible();

  await context.clearCookies();
  await newFounder(context);
  await page.goto('/startup/campaigns/create');
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await expect(page.getByRole('form', { name: 'Create a quest' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('form', { name: 'Create a quest' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Explore first' })).toBeHidden();
});

test("QNEW-17 RULE-04 RULE-05 unsaved input is not lost without confirmation; the form shows the trial's limits, and the server enforces them", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4\d\d .*create_quest/);
  const founder = await newFounder(context);
  await completeSomeQuest(founder);
  await test.step('input is not lost without confirmation', async () => {
    await page.goto('/startup/campaigns/new');
    await page.getByRole('radio', { name: 'Join Discord' }).check();
    await page.getByLabel('Discord invite').fill('kites');

    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByLabel('Discord invite')).toHaveValue('kites');

    const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await expect(page.getByLabel('Discord invite')).toHaveValue('kites');

    await page.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Leave page' }).click();
    await expect(page).toHaveURL(/\/startup$/);
  });

  await follow(page, ['/startup/campaigns/new', 'Create a quest']);
  await page.getByRole('radio', { name: 'Visit website' }).check();
  await page.getByLabel('Website URL').fill('kite.example');
  const budget = page.getByRole('meter', { name: 'Total budget' });
  const create = page.getByRole('button', { name: 'Create Quest' });

  await page.getByLabel('Points per person').fill('25');
  await page.getByLabel('Max participants').fill('20');
  await expect(budget).toHaveAttribute('aria-valuetext', /^500 of 500 points/);
  await expect(page.getByText('0 points remaining')).toBeVisible();
  await page.getByLabel('Max participants').fill('21');
  await expect(page.getByText('Total budget exceeds trial limit of 500 points').first()).toBeVisible();
  const toCorrect = page.getByRole('region', { name: 'What to correct' });
  await create.click();
  await expect(toCorrect).toContainText('Total budget exceeds trial limit of 500 points');
  await expect(page.getByLabel('Max participants')).toBeFocused();
  await page.getByLabel('Points per person').fill('501');
  await expect(toCorrect).toContainText('Beta limit: maximum 500 points per quest');
  await page.getByLabel('Points per person').fill('');
  await expect(toCorrect).toContainText('Please enter a valid reward amount (minimum 1 point)');
  await expectAccessible(page);
  await page.getByLabel('Points per person').fill('20');

  // The form was opened before the first quest existed: only the server can know.
  await newQuest(founder);
  await page.getByLabel('Max participants').fill('5');
  await create.click();
  await expectAlert(page, BETA_LIMIT);
  await page.reload();
  await expect(page.getByText(BETA_LIMIT)).toBeVisible();
});

test('QUEST-11 QUEST-12 the owner sees figures and recent submissions instead of progress; others do not', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  const quest = await newQuest(founder);
  for (let count = 0; count < 4; count += 1) await submitAsNewMember(quest.taskId);

  await page.goto('/startup');
  await page.getByRole('link', { name: 'View Quest' }).click();
  const panel = page.getByRole('region', { name: 'Your quest' });
  const analytics = page.getByRole('region', { name: 'Quest Analytics' });
  await expect(analytics).toContainText(/Submissions4Approved4Pending0Participants4Points distributed40 points/);
  await expect(page.getByRole('region', { name: 'Recent submissions' }).getByRole('listitem')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Submit Proof' })).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await panel.getByRole('link', { name: 'Edit Quest' }).click();
  await expect(page).toHaveURL(`/startup/campaigns/${quest.campaign.id}/edit`);
  await page.goBack();
  await panel.getByRole('link', { name: 'View All Submissions' }).click();
  await expect(page).toHaveURL(`/startup/campaigns/${quest.campaign.id}/submissions`);

  const other = await newQuest(await newOwner('neighbour'));
  await page.goto(`/community/quest/${other.campaign.id}`);
  await expect(page.getByRole('button', { name: 'Submit Proof' })).toBeVisible();
  await expect(panel).toHaveCount(0);
});

test('C-113 on phones the sentence about the first wrong field is not under the bar with the buttons', {
  tag: '@phone',
}, async ({ page, context }) => {
  await newFounder(context);
  await page.goto('/startup/create-quest');
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.getByRole('radio', { name: 'Custom quest' }).check();
  await pressUnder(page.getByLabel('Custom instructions'), page.getByRole('button', { name: 'Create Quest' }));
  await expectUncovered(page.getByText('Please fill in: Custom instructions').first());
});
