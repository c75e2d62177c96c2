import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { walletRow } from '@/lib/testing/rows';
import { createRoutes, eligibility, projectId, projectLimits, questRow, taskRow } from '../testing/rows';
import QuestCreatePage from './quest-create-page';

const eligibleQuest = (number: number, campaignNumber = number) => ({
  task_id: `task-${number}`,
  campaign_id: `campaign-${campaignNumber}`,
  campaign_title: `Quest ${campaignNumber}`,
  startup_name: 'Paper Kite',
  startup_logo: null,
  reward_points: 25,
});
const done = (number: number) => ({
  campaign_title: `Done ${number}`,
  startup_name: 'Paper Kite',
  reward_points: 25,
  completed_at: '2026-01-01T00:00:00Z',
});

function open(overrides: Record<string, unknown>) {
  const api = fakeApi(createRoutes({ 'rpc get_available_quests_for_new_user': [eligibleQuest(1)], ...overrides }));
  return { ...renderApp(<QuestCreatePage />, { identity: signedIn('startup_verified') }), api };
}
afterEach(() => localStorage.clear());

const ineligible = { 'rpc validate_campaign_creation_eligibility': eligibility(false) };
const checks = (api: ReturnType<typeof open>['api']) =>
  api.calls.filter((call) => call.path === 'rpc/validate_campaign_creation_eligibility').length;

test('QNEW-03 the gate says why, links to quests to try, and can be skipped', async () => {
  const { user } = open(ineligible);
  expect(await screen.findByText('Complete at least 1 quest before you create your own.')).toBeVisible();
  expect(await screen.findByRole('link', { name: /Quest 1/ })).toHaveAttribute('href', '/quest/campaign-1');
  expect(screen.queryByRole('button', { name: 'Create Quest' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Skip for now' }));
  expect(screen.getByRole('button', { name: 'Create Quest' })).toBeVisible();
  await user.tab();
  expect(screen.getByRole('radio', { name: /Sign up for product/ })).toHaveFocus();
});

test('C-114 a skip is remembered, and founders with a quest or a plan see no gate', async () => {
  const { user, unmount } = open(ineligible);
  await user.click(await screen.findByRole('button', { name: 'Skip for now' }));
  unmount();
  const again = open(ineligible);
  expect(await screen.findByRole('button', { name: 'Create Quest' })).toBeVisible();
  again.unmount();
  for (const known of [{ quest_count: 1, quest_limit: null }, { has_plan: true }]) {
    localStorage.clear();
    const view = open({ ...ineligible, 'rpc get_quest_limits': [projectLimits(known)] });
    expect(await screen.findByRole('button', { name: 'Create Quest' })).toBeVisible();
    view.unmount();
  }
});

test.each([
  ['the window gains focus', () => fireEvent.focus(window)],
  ['the tab becomes visible', () => fireEvent(document, new Event('visibilitychange'))],
])('QNEW-04 QNEW-03 C-38 eligibility is checked again when %s, and once met the gate opens', async (_, comeBack) => {
  const { user, api } = open(ineligible);
  await screen.findByRole('button', { name: 'Skip for now' });
  api.routes['rpc validate_campaign_creation_eligibility'] = eligibility(true);
  comeBack();
  expect(await screen.findByText('Requirement met: go on.')).toBeVisible();
  expect(checks(api)).toBe(2);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(screen.getByRole('button', { name: 'Create Quest' })).toBeVisible();
});

test('QNEW-05 C-38 an eligible founder sees no gate, and losing focus later shows none', async () => {
  const { api } = open({});
  await screen.findByRole('button', { name: 'Create Quest' });
  api.routes['rpc validate_campaign_creation_eligibility'] = eligibility(false);
  fireEvent.focus(window);
  await waitFor(() => expect(checks(api)).toBe(2));
  expect(screen.getByRole('button', { name: 'Create Quest' })).toBeVisible();
});

test('QNEW-05 a failed check counts as eligible and says so', async () => {
  open({ 'rpc validate_campaign_creation_eligibility': offline() });
  expect(await screen.findByText('Quest eligibility check failed. Proceeding with quest creation.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Create Quest' })).toBeVisible();
});

test('QNEW-06 C-40 the panel lists 8 quests, each once, and the 3 latest completions', async () => {
  open({
    'rpc validate_campaign_creation_eligibility': eligibility(false, [done(1), done(2), done(3), done(4)]),
    'rpc get_available_quests_for_new_user': [
      eligibleQuest(1),
      eligibleQuest(2, 1),
      ...[3, 4, 5, 6, 7, 8, 9, 10].map((n) => eligibleQuest(n)),
    ],
  });
  expect(await screen.findAllByRole('link', { name: /^.*Quest \d+/ })).toHaveLength(8);
  expect(screen.getAllByText(/^Done \d$/).map((item) => item.textContent)).toEqual(['Done 1', 'Done 2', 'Done 3']);
});

test('DB-28 C-90 QNEW-06 C-40 without the procedures the tables are used, excluding own and completed quests', async () => {
  const missing = refuse(404, null, 'Could not find the function');
  const quest = (id: string, title: string, startup_id: string, tasks = [taskRow({ id: `task-${id}` })]) => ({
    ...questRow({ id, title, startup_id }),
    startup_profiles: { name: 'Mossworks', logo_url: null },
    tasks,
  });
  const proof = (overrides: object) => ({ user_id: 'user_test', status: 'pending', ...overrides });
  open({
    'rpc validate_campaign_creation_eligibility': missing,
    'rpc get_available_quests_for_new_user': missing,
    'GET submissions': [
      proof({ task_id: 'task-waiting' }),
      proof({ task_id: 'task-again', status: 'rejected' }),
      proof({ task_id: 'task-free', user_id: 'user_other' }),
    ].map((row) => ({ ...row, reward_points: 5, reviewed_at: null, campaigns: null })),
    'GET wallets': [walletRow({ kind: 'startup', startup_id: projectId }), walletRow()],
    'GET campaigns': [
      quest('free', 'Not begun', 'p9'),
      quest('again', 'Rejected before', 'p9'),
      quest('waiting', 'Waiting already', 'p9'),
      quest('own', 'My own', projectId),
      quest('taken', 'No spot in its task', 'p9', [taskRow({ id: 't9', max_completions: 1, approved_count: 1 })]),
      { ...quest('full', 'Full', 'p9'), is_full: true },
    ],
  });
  expect(await screen.findByRole('link', { name: /Not begun/ })).toBeVisible();
  const links = within(screen.getByRole('region', { name: 'Quests to try' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href')).toSorted()).toEqual(['/quest/again', '/quest/free']);
});

test('C-81 a founder whose mailbox has already had its trial points is told why there are none', async () => {
  const message = 'Your email address has already received its trial points, so your project starts with 0 points.';
  open({ 'rpc validate_campaign_creation_eligibility': { ...eligibility(true), trial_message: message } });
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Create Quest' })).toBeVisible();
});
