import { screen, waitFor } from '@testing-library/react';
import { type Project, projectQueries } from '@/features/projects';
import { projectRow, subscription } from '@/features/projects/testing';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import { FounderDashboardPage } from './dashboard-page';

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
    'rpc get_own_quest_states': [],
    'GET wallets': [],
    ...overrides,
  });
  const view = renderApp(null, { identity: signedIn('startup_verified'), path, routes });
  return { ...view, api, location: () => view.router.state.location };
}

test('SDASH-01 without a profile: the pitch, the upgrade and the way to a profile', async () => {
  open({ profile: null });
  expect(await screen.findByRole('heading', { name: 'Get Your First 10 Users This Week' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Create Your Project Profile' })).toHaveAttribute('href', '/startup/profile');
  expect(screen.getByRole('link', { name: /Upgrade/ })).toHaveAttribute('href', '/startup/subscribe?plan=og_lifetime');
});

test('SDASH-02 with a profile: its card, the tiles and the quests', async () => {
  open();
  const card = await screen.findByRole('region', { name: 'Project profile' });
  expect(card).toHaveTextContent('Paper Kite');
  expect(card).toHaveTextContent('Verified');
  expect(screen.getByRole('link', { name: 'Edit Profile' })).toHaveAttribute('href', '/startup/profile/edit');
  expect(screen.getByRole('button', { name: 'Delete' })).toBeVisible();
  expect(screen.getByRole('region', { name: 'Your figures' })).toHaveTextContent('Live quests');
  expect(await screen.findByText('No quests yet')).toBeVisible();
});

test('SDASH-03 the trial banner is there until a subscription is active', async () => {
  const view = open();
  expect(await screen.findByText('Trial: 1 quest live, 500 points budget')).toBeVisible();
  view.unmount();
  const { queryClient } = open({ 'GET subscriptions': [subscription()] });
  await screen.findByText('No quests yet');
  const { queryKey } = projectQueries.subscription(projectRow().id);
  await waitFor(() => expect(queryClient.getQueryData(queryKey)).toMatchObject({ status: 'active' }));
  expect(screen.queryByText(/^Trial:/)).not.toBeInTheDocument();
});

test('SDASH-03 an unverified profile sees no trial banner', async () => {
  open({ profile: projectRow({ status: 'pending' }) });
  await screen.findByText('No quests yet');
  expect(screen.queryByText(/^Trial:/)).not.toBeInTheDocument();
});

test.each([
  ['pending', /under review/, /quests once it is verified/],
  ['verified', /is verified/, /automatically during the beta/],
  ['rejected', /was not approved/, /contact support/],
] as const)('SDASH-05 a %s project says so', async (status, title, text) => {
  open({ profile: projectRow({ status }) });
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText(text)).toBeVisible();
});

test('SDASH-04 the payment panel waits for the subscription, and Got it! cleans the address', async () => {
  const { user, location } = open({ path: '/startup?success=subscription&from=mail' });
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible();
  expect(screen.getByText(/Your payment is being confirmed/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Got it!' }));
  expect(screen.queryByText('Payment Successful')).not.toBeInTheDocument();
  expect(location().search).toBe('?from=mail');
});

test('SDASH-04 the panel says active only once the subscription is', async () => {
  open({ path: '/startup?success=subscription', 'GET subscriptions': [subscription()] });
  expect(await screen.findByText('OG Lifetime is active for your project.')).toBeVisible();
});

test('without the parameter there is no panel', async () => {
  open();
  await screen.findByText('No quests yet');
  expect(screen.queryByText('Payment Successful')).not.toBeInTheDocument();
});

test('SPROF-07 deleting asks, then leads to creating another', async () => {
  const { user, location } = open({ 'rpc delete_startup_profile': undefined });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await screen.findByRole('alertdialog', { name: 'Delete “Paper Kite”?' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Delete profile' }));
  await waitFor(() => expect(location().pathname).toBe('/startup/create'));
});

test('SPROF-08 while there are quests, deleting is refused with their number', async () => {
  const sentence =
    'Cannot delete startup profile: You have 1 active quest(s). Please delete all quests first before deleting your profile.';
  const { user, location } = open({ 'rpc delete_startup_profile': refuse(409, 'STARTUP_HAS_QUESTS', sentence) });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete profile' }));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(location().pathname).toBe('/startup');
});

test('TRUST-14 a project that cannot be loaded is not shown as none', async () => {
  open({ 'GET startup_profiles': refuse(500, null, 'broken') });
  expect(await screen.findByText('Your project could not be loaded')).toBeVisible();
  expect(screen.queryByText('Get Your First 10 Users This Week')).not.toBeInTheDocument();
});
