import { act, screen, waitFor } from '@testing-library/react';
import { offline } from '@/lib/testing/fake-api';
import { settingsRow } from '@/lib/testing/rows';
import { createButton, fillFollow, openCreatePage, pick } from '../testing/create-page';
import { field, retype, toCorrect } from '../testing/form-fields';
import { projectLimits, questRow } from '../testing/rows';

test('QNEW-17 the bar shows what remains, turns red when over, and the form refuses', async () => {
  const { user } = openCreatePage();
  await createButton();
  const fill = () => screen.getByRole('meter', { name: 'Total budget' }).nextElementSibling?.firstElementChild;
  expect(screen.getByText('0 points remaining')).toBeVisible();
  await fillFollow(user);
  await retype(user, field(/Points per person/), '20');
  expect(screen.getByText('100 points remaining')).toBeVisible();
  expect(fill()).toHaveClass('bg-action');
  await retype(user, field(/Points per person/), '50');
  expect(screen.getAllByText('Total budget exceeds trial limit of 500 points')[0]).toBeVisible();
  expect(fill()).toHaveClass('bg-danger');
  await user.click(await createButton());
  await waitFor(() => expect(toCorrect()).toEqual(['Total budget exceeds trial limit of 500 points']));
  expect(field(/Max participants/)).toHaveFocus();
  await retype(user, field(/Points per person/), '501');
  expect(toCorrect()).toEqual(['Beta limit: maximum 500 points per quest']);
});

test('the red bar suggests the number of people that fits', async () => {
  const { user } = openCreatePage();
  await createButton();
  await user.click(pick(/Sign up for product/));
  await user.click(screen.getByRole('button', { name: 'Use 10 participants' }));
  expect(field(/Max participants/)).toHaveValue('10');
  expect(screen.getByText('0 points remaining')).toBeVisible();
});

test('C-114 RULE-04 at the limit the form is replaced by the reason and what lifts it', async () => {
  openCreatePage({ 'rpc get_quest_limits': [projectLimits({ quest_count: 1 })] });
  expect(
    await screen.findByText(/^Beta limit reached: You can only create 1 quest during the beta period/),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: 'Buy points' })).toHaveAttribute('href', '/startup/billing');
  expect(screen.queryByRole('button', { name: 'Create Quest' })).not.toBeInTheDocument();
});

test('C-69 C-114 after the beta, the limit is that of the trial, and the plan lifts it, too', async () => {
  openCreatePage({
    'GET app_settings': [settingsRow({ beta_mode: false })],
    'rpc get_quest_limits': [projectLimits({ quest_count: 1 })],
  });
  expect(
    await screen.findByRole('heading', { name: 'Your trial has room for 1 quest, drafts included.' }),
  ).toBeVisible();
  expect(screen.queryByText(/beta/i)).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'See OG Lifetime' })).toHaveAttribute(
    'href',
    '/startup/subscribe?plan=og_lifetime',
  );
});

test('C-114 the form is not offered on the word of limits that predate the last quest', async () => {
  const { api, queryClient, router } = openCreatePage();
  await createButton();
  await act(() => router.navigate('/startup'));
  api.routes['rpc get_quest_limits'] = [projectLimits({ quest_count: 1, budget_used: 500 })];
  await queryClient.invalidateQueries();
  await act(() => router.navigate('/startup/campaigns/new'));
  expect(await screen.findByRole('region', { name: 'Limit reached' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Create Quest' })).not.toBeInTheDocument();
});

test('QNEW-17 limits that could not be loaded are not guessed: the server decides', async () => {
  const { user, api } = openCreatePage({ 'rpc get_quest_limits': offline(), 'rpc create_quest': questRow() });
  await createButton();
  await fillFollow(user);
  await retype(user, field(/Points per person/), '600');
  await user.click(await createButton());
  await waitFor(() => expect(api.calls.map(({ path }) => path)).toContain('rpc/create_quest'));
  expect(screen.queryByText(/trial limit|maximum 500/)).not.toBeInTheDocument();
});

test('the budget of a second quest says that it counts the others', async () => {
  const limits = { quest_count: 1, quest_limit: null, budget_used: 450, budget_limit: 1500, bought_points: 1000 };
  openCreatePage({ 'rpc get_quest_limits': [projectLimits(limits)] });
  expect(await screen.findByRole('meter', { name: 'Total budget of all your quests' })).toBeVisible();
});

test('BEY-20 QNEW-17 bought points raise the budget and the cap, and the sentence says so', async () => {
  const bought = { quest_count: 1, quest_limit: null, budget_used: 500, budget_limit: 1500, reward_limit: 1000 };
  const { user } = openCreatePage({ 'rpc get_quest_limits': [projectLimits({ ...bought, bought_points: 1000 })] });
  await createButton();
  await fillFollow(user);
  await retype(user, field(/Points per person/), '600');
  expect(
    (await screen.findAllByText('Total budget exceeds your limit of 1500 points, bought ones included'))[0],
  ).toBeVisible();
  await retype(user, field(/Max participants/), '1');
  expect(screen.getByText('400 points remaining')).toBeVisible();
  expect(screen.getByText('1,100 of 1,500 points (73.3%)')).toBeVisible();
});
