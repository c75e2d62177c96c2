import { act, screen, waitFor, within } from '@testing-library/react';
import { notificationQueries } from '@/features/notifications';
import { notificationRow } from '@/features/notifications/testing';
import { type Project, projectQueries } from '@/features/projects';
import { projectRow, subscription } from '@/features/projects/testing';
import { projectLimits } from '@/features/quests/testing/rows';
import { ownQuest } from '@/features/quests/testing/samples';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import FounderDashboardPage from './dashboard-page';

const routes = [
  { path: '/startup', element: <FounderDashboardPage /> },
  { path: '*', element: <p>elsewhere</p> },
];

function open({
  profile = projectRow(),
  path = '/startup',
  ...overrides
}: Record<string, unknown> & { path?: string; profile?: Project | null } = {}) {
  const api = fakeApi({
    'GET startup_profiles': profile ? [profile] : [],
    'GET subscriptions': [subscription({ startup_id: 'other' })],
    'GET app_settings': [settingsRow()],
    'rpc list_own_quests': [],
    'rpc get_review_counts': [],
    'rpc get_project_points': { free: 300, reserved: 140, paid: 60, bought: 0, granted: 500, other: 0 },
    'rpc get_own_quest_states': [],
    'rpc get_quest_limits': [projectLimits({ quest_count: 1 })],
    'rpc list_notifications': [],
    ...overrides,
  });
  const view = renderApp(null, { identity: signedIn('startup_verified'), path, routes });
  return { ...view, api, location: () => view.router.state.location };
}

test('SDASH-01 without a profile: the pitch, the upgrade and a link to create a profile', async () => {
  open({ profile: null });
  expect(await screen.findByRole('heading', { name: 'Get Your First 10 Users This Week' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Create Your Project Profile' })).toHaveAttribute('href', '/startup/profile');
  expect(screen.getByRole('link', { name: /Upgrade/ })).toHaveAttribute('href', '/startup/subscribe?plan=og_lifetime');
  // How many points a project starts with is a setting, and not everybody gets them.
  expect(screen.getByRole('list')).not.toHaveTextContent(/points/);
});

test('SDASH-02 C-112 with a profile: its card, the tiles and the quests with their totals', async () => {
  const draft = { id: 'draft', title: 'Second', status: 'draft', participant_count: 1, approved_count: 1 } as const;
  open({ 'rpc list_own_quests': [ownQuest({ participant_count: 7, approved_count: 6 }), ownQuest(draft)] });
  const card = await screen.findByRole('region', { name: 'Project profile' });
  expect(card).toHaveTextContent('Paper Kite');
  expect(card).toHaveTextContent('Verified');
  expect(screen.getByRole('link', { name: 'Edit Profile' })).toHaveAttribute('href', '/startup/profile/edit');
  expect(screen.getByRole('button', { name: 'Delete' })).toBeVisible();
  const points = await screen.findByRole('region', { name: 'Your points' });
  await waitFor(() => expect(points).toHaveTextContent(/Free300.*Reserved140.*Spent60.*Bought0/));
  // C-112: the figures add up.
  expect(
    screen.getByText('Free, reserved and spent add up to 500 points: 500 as your trial budget, 0 bought.'),
  ).toBeVisible();
  expect(
    await screen.findByText('1 live quest · 8 participants (counted per quest) · 7 approved submissions'),
  ).toBeVisible();
  expect(await screen.findByRole('listitem', { name: 'Second' })).toBeVisible();
});

test('quests are shown only once the next step, which decides their position, is known or has failed to load', async () => {
  const counts = Promise.withResolvers<unknown>();
  open({ 'rpc get_review_counts': () => counts.promise });
  await screen.findByRole('heading', { name: 'Project dashboard' });
  expect(screen.queryByRole('region', { name: 'Your quests' })).not.toBeInTheDocument();
  counts.resolve(refuse(403, 'FORBIDDEN', 'Forbidden'));
  expect(await screen.findByRole('region', { name: 'Your quests' })).toBeVisible();
  expect(screen.getByText('Your waiting proofs could not be loaded')).toBeVisible();
});

test('SDASH-03 the trial banner is shown until a subscription is active', async () => {
  const view = open();
  expect(await screen.findByText('Trial: 1 quest live, 500 points budget')).toBeVisible();
  expect(screen.getByText('Drafts and closed quests count until they are deleted.')).toBeVisible();
  view.unmount();
  const { queryClient } = open({
    'GET subscriptions': [subscription()],
    'GET app_settings': [settingsRow({ beta_mode: false })],
  });
  await screen.findByText('No quests yet');
  const { queryKey } = projectQueries.subscription(projectRow().id);
  await waitFor(() => expect(queryClient.getQueryData(queryKey)).toMatchObject({ status: 'active' }));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.queryByText(/points budget/)).not.toBeInTheDocument();
});

test('C-117 the banner has the limits that bought points have raised', async () => {
  open({ 'rpc get_quest_limits': [projectLimits({ quest_limit: null, budget_limit: 1500, bought_points: 1000 })] });
  expect(await screen.findByText('Trial: 1,500 points budget')).toBeVisible();
  expect(screen.queryByText(/closed quests count/)).not.toBeInTheDocument();
  expect(screen.getByText('OG Lifetime lifts it when the beta ends. Buying points raises it at once.')).toBeVisible();
});

test('C-117 C-22 during the beta its limits are shown to subscribers too, with what lifts them and when', async () => {
  open({ 'GET subscriptions': [subscription()] });
  expect(await screen.findByText('During the beta: 1 quest live, 500 points budget')).toBeVisible();
  expect(screen.getByText(/Your plan lifts both when it ends/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'See OG Lifetime' })).not.toBeInTheDocument();
});

test.each([
  [true, 'OG Lifetime lifts both when the beta ends. Buying points raises them at once.'],
  [false, 'Subscribing lifts both. Buying points raises them at once.'],
])('C-69 with beta %s the trial banner says %j', async (beta_mode, text) => {
  open({ 'GET subscriptions': [], 'GET app_settings': [settingsRow({ beta_mode })] });
  expect(await screen.findByText(text)).toBeVisible();
});

test('C-69 with the beta off nothing mentions it', async () => {
  open({ 'GET app_settings': [settingsRow({ beta_mode: false })], path: '/startup?success=subscription' });
  expect(await screen.findByText(/is verified/)).toBeVisible();
  expect(await screen.findByText(/^Subscribing lifts both\./)).toBeVisible();
  expect(screen.queryByText(/beta/i)).not.toBeInTheDocument();
});

describe('the next step', () => {
  const counts = (pending_count: number) => ({
    campaign_id: 'q1',
    title: 'First',
    quest_status: 'published',
    pending_count,
    approved_count: 1,
    rejected_count: 0,
    flagged_count: 2,
    next_due_at: new Date(Date.now() + 5.5 * 3_600_000).toISOString(),
  });

  test('BEY-01 shows the pending proofs of all quests, with a link to the desk', async () => {
    open({ 'rpc get_review_counts': [counts(60), { ...counts(7), campaign_id: 'q2', flagged_count: 0 }] });
    const waiting = await screen.findByRole('region', { name: 'Waiting proofs' });
    expect(waiting).toHaveTextContent('67 proofs are waiting');
    expect(waiting).toHaveTextContent(
      'The first is due in 5 hours and is approved if you have not decided by then. 2 are flagged.',
    );
    expect(within(waiting).getByRole('link', { name: 'Review now' })).toHaveAttribute('href', '/startup/review');
    const heads = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(heads.indexOf('67 proofs are waiting')).toBe(0);
  });

  test('shows nothing when none are pending', async () => {
    open({ 'rpc get_review_counts': [{ ...counts(0), next_due_at: null }] });
    await screen.findByText('No quests yet');
    expect(screen.queryByRole('region', { name: 'Waiting proofs' })).not.toBeInTheDocument();
  });

  test('ONB-03 shows the steps to a first quest with a link to the onboarding, until a first proof is decided', async () => {
    const quest = ownQuest({ submission_count: 2, pending_count: 2 });
    const view = open();
    const list = await screen.findByRole('region', { name: 'Your first quest' });
    expect(within(list).getByRole('link', { name: 'Publish your first quest' })).toBeVisible();
    expect(within(list).getByRole('link', { name: 'Show me around' })).toHaveAttribute('href', '/onboarding');
    view.unmount();
    // On trial there is no room for a second quest beside a draft.
    const drafted = open({ 'rpc list_own_quests': [ownQuest({ status: 'draft', published_at: null })] });
    const steps = await screen.findByRole('region', { name: 'Your first quest' });
    expect(steps).toHaveTextContent('Publish your first quest: its draft is below');
    expect(within(steps).queryByRole('link', { name: /Publish your first quest/ })).not.toBeInTheDocument();
    drafted.unmount();
    const second = open({ 'rpc list_own_quests': [quest] });
    expect(
      within(await screen.findByRole('region', { name: 'Your first quest' })).getByRole('link', {
        name: 'Review it',
      }),
    ).toHaveAttribute('href', '/startup/review');
    second.unmount();
    open({ 'rpc list_own_quests': [{ ...quest, pending_count: 1 }] });
    await screen.findByText('1 live quest · 0 participants (counted per quest) · 0 approved submissions');
    expect(screen.queryByRole('region', { name: 'Your first quest' })).not.toBeInTheDocument();
  });
});

/** The filled buttons on the screen, of which there is one at most. */
const primaryButtons = () =>
  [...screen.queryAllByRole('link'), ...screen.queryAllByRole('button')]
    .filter(({ className }) => className.split(' ').includes('bg-action'))
    .map(({ textContent }) => textContent);

test.each([
  ['the first quest', [], ['Create Your First Quest']],
  ['a draft', [ownQuest({ status: 'draft', published_at: null })], ['Publish']],
  ['another quest', [ownQuest()], ['Create Quest']],
])('has one filled button, for the next step: %s', async (_, quests, filled) => {
  open({ 'rpc list_own_quests': quests, path: '/startup?success=subscription' });
  await screen.findByRole('heading', { name: 'Payment Successful' });
  await waitFor(() => expect(primaryButtons()).toEqual(filled));
});

test('TRUST-18 a suspended owner sees why and the project, and asks for nothing that the server would refuse', async () => {
  const at = '2026-02-01T00:00:00Z';
  const { api } = open({ profile: projectRow({ suspended_at: at }), 'GET appeals': [], 'GET user_profiles': [] });
  expect(await screen.findByText('Your account is suspended')).toBeVisible();
  expect(await screen.findByRole('region', { name: 'Project profile' })).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Appeal' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Create Quest' })).not.toBeInTheDocument();
  expect(screen.queryByText(/could not be loaded/)).not.toBeInTheDocument();
  const refused = ['rpc/list_own_quests', 'rpc/get_review_counts', 'rpc/get_project_points'];
  expect(api.calls.map(({ path }) => path).filter((path) => refused.includes(path))).toEqual([]);
});

test('SDASH-03 an unverified profile sees no trial banner', async () => {
  const { queryClient } = open({ profile: projectRow({ status: 'pending' }) });
  await screen.findByText('No quests yet');
  const { queryKey } = projectQueries.subscription(projectRow().id);
  await waitFor(() => expect(queryClient.getQueryData(queryKey)).toBeNull());
  expect(screen.queryByText(/^Trial:/)).not.toBeInTheDocument();
});

test.each([
  ['pending', /under review/, /quests once it is verified. The bell and an email will tell you/],
  ['verified', /is verified/, /automatically during the beta/],
  ['rejected', /was not approved/, /contact support/],
] as const)('SDASH-05 a %s project says so', async (status, title, text) => {
  open({ profile: projectRow({ status }) });
  expect(await screen.findByText(title)).toBeVisible();
  expect(await screen.findByText(text)).toBeVisible();
});

test('C-97 a project that waits because of an earlier decision says which', async () => {
  open({ profile: projectRow({ status: 'pending', review_note: 'No such company' }) });
  expect(await screen.findByText('What was decided about an earlier project of yours: No such company')).toBeVisible();
});

test('SDASH-04 the payment panel waits for the subscription, and Got it! removes the parameter', async () => {
  const { user, location } = open({ path: '/startup?success=subscription&from=mail' });
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible();
  expect(screen.getByText(/Your payment is being confirmed/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Got it!' }));
  expect(screen.queryByText('Payment Successful')).not.toBeInTheDocument();
  expect(location().search).toBe('?from=mail');
});

test('SDASH-04 the panel says active only once the subscription is active', async () => {
  open({ path: '/startup?success=subscription', 'GET subscriptions': [subscription()] });
  expect(await screen.findByText(/^OG Lifetime is active for your project\./)).toBeVisible();
  // During the beta and after it, the panel states the current terms (C-69).
  expect(await screen.findByText(/limits of the trial hold for everybody/)).toBeVisible();
});

describe('SDASH-04 C-21 a payment that bought nothing', () => {
  const refused = (ageMinutes: number, reason = 'sold_out') =>
    notificationRow({
      type: 'PaymentNotApplied',
      kind: 'plan_changed',
      data: { reason },
      created_at: new Date(Date.now() - ageMinutes * 60_000).toISOString(),
    });

  test('is not called successful', async () => {
    const { user, location } = open({ path: '/startup?success=subscription', 'rpc list_notifications': [refused(1)] });
    const sentence = 'We are refunding your payment: every slot of OG Lifetime Access is taken.';
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.queryByText('Payment Successful')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Got it!' }));
    expect(screen.queryByText(sentence)).not.toBeInTheDocument();
    expect(location().search).toBe('');
  });

  test('because another tab had paid is told beside the plan', async () => {
    open({
      path: '/startup?success=subscription',
      'GET subscriptions': [subscription()],
      'rpc list_notifications': [refused(1, 'already_subscribed')],
    });
    expect(await screen.findByText(/You paid twice: we are refunding one of the payments\./)).toHaveTextContent(
      /^OG Lifetime is active for your project\./,
    );
  });

  const ended = (minutes: number) =>
    notificationRow({
      type: 'SubscriptionEnded',
      kind: 'plan_changed',
      data: { status: 'refunded' },
      created_at: new Date(Date.now() - minutes * 60_000).toISOString(),
    });

  test('nor is one whose plan has ended with a refund', async () => {
    open({ path: '/startup?success=subscription', 'rpc list_notifications': [ended(0)] });
    expect(await screen.findByText('Your OG Lifetime Access has ended.')).toBeVisible();
    expect(screen.queryByText('Payment Successful')).not.toBeInTheDocument();
    expect(screen.queryByText(/being confirmed/)).not.toBeInTheDocument();
  });

  test.each([
    ['is from an earlier attempt', [refused(11)]],
    ['is the end of the plan before', [ended(11)]],
    ['came before the plan', [notificationRow({ type: 'SubscriptionActivated', data: {} }), refused(1)]],
  ])('is not mentioned when it %s', async (_, notifications) => {
    const { queryClient } = open({
      path: '/startup?success=subscription',
      'rpc list_notifications': notifications,
    });
    await waitFor(() =>
      expect(queryClient.getQueryData(notificationQueries.latest('user_test').queryKey)).toHaveLength(
        notifications.length,
      ),
    );
    expect(screen.getByRole('heading', { name: 'Payment Successful' })).toBeVisible();
    expect(screen.queryByText(/refunding your payment/)).not.toBeInTheDocument();
  });
});

test('without the parameter there is no panel', async () => {
  open();
  await screen.findByText('No quests yet');
  expect(screen.queryByText('Payment Successful')).not.toBeInTheDocument();
});

test('SPROF-07 deleting asks for confirmation, then leads to creating another profile', async () => {
  const { user, location } = open({ 'rpc delete_startup_profile': undefined });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await screen.findByRole('alertdialog', { name: 'Delete “Paper Kite”?' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Delete profile' }));
  await waitFor(() => expect(location().pathname).toBe('/startup/create'));
});

test('deleting carries nobody away who has gone elsewhere before the answer', async () => {
  const answer = Promise.withResolvers<unknown>();
  const { user, location, router, api, queryClient } = open({ 'rpc delete_startup_profile': () => answer.promise });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete profile' }));
  await waitFor(() => expect(api.calls.some(({ path }) => path === 'rpc/delete_startup_profile')).toBe(true));
  await act(() => router.navigate('/rewards'));
  answer.resolve(undefined);
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  await requestsSent();
  expect(location().pathname).toBe('/rewards');
});

const hasQuests =
  'Cannot delete startup profile: You have 1 active quest(s). Please delete all quests first before deleting your profile.';
test.each([
  ['SPROF-08 while there are quests', refuse(409, 'STARTUP_HAS_QUESTS', hasQuests), hasQuests],
  ['SPROF-09 when the server fails', refuse(500, null, 'broken'), 'Failed to delete project profile'],
])('%s, deleting is refused and says why', async (_, answer, sentence) => {
  const { user, location } = open({ 'rpc delete_startup_profile': answer });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete profile' }));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(location().pathname).toBe('/startup');
});

test('TRUST-14 a project that failed to load is not shown as missing', async () => {
  open({ 'GET startup_profiles': refuse(500, null, 'broken') });
  expect(await screen.findByText('Your project could not be loaded')).toBeVisible();
  expect(screen.queryByText('Get Your First 10 Users This Week')).not.toBeInTheDocument();
});
