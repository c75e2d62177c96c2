import { asService, sql, testEnv } from '../local/testing/clients.ts';
import { newOwner, newQuest, type Owner, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';
import { follow } from './support/screens.ts';

/** The site of the project that the embedded stack simulates. */
const tour = (owner: Owner) => `${testEnv().SUPABASE_URL}/demo-project/${owner.startup.id}/tour`;
const CHECKED = 'https://project.questboard.test/demo-project/completed';

const pointsOf = async (userId: string) => {
  const { rows } = await sql().query('select points from public.wallets where user_id = $1', [userId]);
  return Number(rows[0]?.points);
};

test('BEY-13 BEY-03 the link is followed, the project calls, and the open page shows it within two seconds; the points are added once', {
  tag: '@alone',
}, async ({ page, context }) => {
  const account = await signUp(context);
  const owner = await newOwner();
  await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
  const { campaign } = await newQuest(owner, {
    task: { title: 'Take the tour', verification: 'call', link_url: tour(owner), reward_points: 30 },
  });
  await page.goto(`/community/quest/${campaign.id}`);
  await expect(page.getByRole('button', { name: 'Open the project’s page' })).toBeVisible();
  await expectAccessible(page);
  const opening = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Open the project’s page' }).click();
  const project = await opening;
  await project.waitForURL(/questboard_token=[0-9a-f]{32}$/);
  expect(project.url()).not.toContain(account.userId);
  await project.getByRole('button', { name: 'Finish the tour' }).click();
  await expect(project.getByText('Questboard answered 200')).toBeVisible();
  await page.bringToFront();
  await expect(page.getByText('Completed').first()).toBeVisible({ timeout: 2_000 });
  await expect(page.getByRole('banner')).toContainText('30 points');

  // A repeated call from the project has no effect.
  await project.goBack();
  await project.getByRole('button', { name: 'Finish the tour' }).click();
  await expect(project.getByText('has completed the task before')).toBeVisible();
  expect(await pointsOf(account.userId)).toBe(30);
});

test.describe('not completed yet', () => {
  test.use({ expectedErrors: [/status of 4\d\d/] });

  test('BEY-13 a check says that the task is not done yet, and pays when it is; a code says how many tries are left', async ({
    page,
    context,
  }) => {
    const account = await signUp(context);
    const owner = await newOwner();
    await asService().rpc('record_endpoint_test', { p_user_id: owner.id, p_url: CHECKED });
    const { campaign } = await newQuest(owner, {
      task: { verification: 'check', link_url: tour(owner), check_target: CHECKED, reward_points: 30 },
    });
    await page.goto(`/community/quest/${campaign.id}`);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await expect(page.getByText('This is not done yet. Finish it at the project, then verify again.')).toBeVisible();
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Open the project’s page' }).click();
    const project = await opening;
    await project.getByRole('button', { name: 'Finish the tour' }).click();
    await expect(project.getByText('You have finished the tour.')).toBeVisible();
    await project.close();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await expect(page.getByText('Completed').first()).toBeVisible();
    expect(await pointsOf(account.userId)).toBe(30);

    await test.step('a completion code', async () => {
      const coded = await newQuest(await newOwner(), {
        task: { verification: 'code', shared_code: 'LANTERN-2026', reward_points: 30 },
      });
      await follow(page, [`/community/quest/${coded.campaign.id}`, coded.campaign.title]);
      await page.getByLabel('Completion code').fill('LANTERN-2025');
      await page.getByRole('button', { name: 'Verify code' }).click();
      await expect(page.getByText('That is not the right code. You have 4 tries left.')).toBeVisible();
      await expectAccessible(page);
      await page.getByLabel('Completion code').fill('lantern 2026');
      await page.getByRole('button', { name: 'Verify code' }).click();
      await expect(page.getByText('Completed').first()).toBeVisible();
      await expect(page.getByRole('banner')).toContainText('60 points');
    });
  });

  test('BEY-13 a founder creates a secret, tests an address and sees the result of a call', async ({
    page,
    context,
  }) => {
    const founder = await newFounder(context);
    await page.goto('/startup/developers');
    await page.getByRole('button', { name: 'Create a secret' }).click();
    const shown = page.getByText(/^whsec_/);
    await expect(shown).toBeVisible();
    await page.getByRole('textbox', { name: 'Try an address' }).fill('https://127.0.0.1/');
    await page.getByRole('button', { name: 'Test this address' }).click();
    await expect(page.getByText(/This address cannot be checked/)).toBeVisible();
    await page.getByRole('textbox', { name: 'Try an address' }).fill(CHECKED);
    await page.getByRole('button', { name: 'Test this address' }).click();
    await expect(page.getByText(/It answered that the task is not completed yet/)).toBeVisible();

    const visitor = await context.newPage();
    await visitor.goto(`${testEnv().SUPABASE_URL}/demo-project/${founder.startup.id}/tour?questboard_token=nobody`);
    await visitor.getByRole('button', { name: 'Finish the tour' }).click();
    await expect(visitor.getByText('Questboard answered 404')).toBeVisible();
    await page.reload();
    await expect(page.getByText('404 TOKEN_UNKNOWN')).toBeVisible();
    // Shown only this once.
    await expect(page.getByText(/^Ends with/)).toBeVisible();
    await expect(shown).toBeHidden();
    // A reload keeps the place, where the header may cover half a link.
    await page.keyboard.press('Home');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
