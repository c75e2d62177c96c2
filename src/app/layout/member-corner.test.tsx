import { act, screen, waitFor } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import { accountQueries } from '@/features/account';
import { settingsQueries } from '@/features/settings';
import { type Role, resolveRole } from '@/lib/role';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn } from '@/lib/testing/render';
import { profileRow, settingsRow, walletRow } from '@/lib/testing/rows';
import { RequireSession } from '../guards';
import { AppDashboardPage } from '../pages/auth-pages';
import { Header } from './header';

/** The header with its features, over three pages. */
async function open(role: Role, { path = '/', isTrusted = false, waiting = [] as unknown[] } = {}) {
  localStorage.setItem('questboard.welcome-email-sent.user_test', 'true');
  const api = fakeApi({
    'GET app_settings': [settingsRow({ treat_unverified_as_verified: isTrusted })],
    'GET user_profiles': [profileRow({ user_id: 'user_other', og_badge: true }), profileRow({ role })],
    'GET wallets': [
      walletRow({ id: 'wallet-2', user_id: 'user_other', points: 99 }),
      walletRow({ kind: 'startup', user_id: null, startup_id: 'p1', points: 5000 }),
      walletRow({ points: 1250 }),
    ],
    'rpc sync_current_user': profileRow({ role }),
    'rpc get_review_counts': waiting,
    'rpc get_unread_notification_count': 3,
  });
  const frame = (
    <>
      <Header />
      <Outlet />
    </>
  );
  const guarded = {
    element: <RequireSession roles={['startup_verified']} />,
    children: [{ path: '/verified', element: <p>for verified projects</p> }],
  };
  const children = [guarded, { path: '/app-dashboard', element: <AppDashboardPage /> }, { path: '*', element: null }];
  const view = renderApp(null, { identity: signedIn(role), path, routes: [{ element: frame, children }] });
  await screen.findByRole('button', { name: /Your menu/ });
  return { ...view, api };
}

it("HEAD-06 shows the member's points in the header", async () => {
  await open('community');
  expect(await screen.findByRole('link', { name: /^1,250\s*points$/ })).toHaveAttribute('href', '/rewards');
});

it('HEAD-07 the menu says the name that the member has chosen here', async () => {
  const { user, queryClient } = await open('community');
  const { queryKey } = accountQueries.profile('user_test');
  await waitFor(() => expect(queryClient.getQueryData(queryKey)).toBeDefined());
  act(() => queryClient.setQueryData(queryKey, profileRow({ display_name: 'Ada Harbour' })));
  await user.click(await screen.findByRole('button', { name: 'AH: Your menu, Ada Harbour' }));
  expect(await screen.findByText('Ada Harbour')).toBeInTheDocument();
});

it('BEY-21 the menu leads to what the member has started, saved and follows', async () => {
  const { user } = await open('community');
  await user.click(screen.getByRole('button', { name: /Your menu/ }));
  expect(await screen.findByRole('menuitem', { name: 'My quests' })).toHaveAttribute('href', '/community/quests');
});

it.each(['startup_unverified', 'startup_verified', 'admin'] as const)('HEAD-06 shows no points to %s', async (role) => {
  const { api } = await open(role);
  await requestsSent();
  expect(screen.queryByRole('link', { name: /points/ })).not.toBeInTheDocument();
  expect(api.calls.filter(({ path }) => path === 'wallets')).toEqual([]);
});

it('a switch of the side that takes its time carries nobody away who has gone elsewhere', async () => {
  const { user, api, router, queryClient } = await open('community');
  const answer = Promise.withResolvers<unknown>();
  api.routes['rpc switch_role'] = () => answer.promise;
  await user.click(screen.getByRole('button', { name: 'Project' }));
  await requestsSent();
  expect(api.calls.some(({ path }) => path === 'rpc/switch_role')).toBe(true);
  await act(() => router.navigate('/rewards'));
  answer.resolve(profileRow({ role: 'startup_unverified' }));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  await requestsSent();
  expect(router.state.location.pathname).toBe('/rewards');
});

describe('SEC-06 C-68 the setting for unverified startups', () => {
  const openMenu = async (user: Awaited<ReturnType<typeof open>>['user']) => {
    await user.click(screen.getByRole('button', { name: /Your menu/ }));
    await screen.findByRole('menuitem', { name: 'Settings' });
  };

  it.each([
    [true, 'Verified project'],
    [false, 'Project, not verified yet'],
  ])('%s: the header says %s', async (isTrusted, words) => {
    const { user } = await open('startup_unverified', { isTrusted });
    await openMenu(user);
    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  it.each([
    [true, 'startup_verified'],
    [false, 'startup_unverified'],
  ])('%s: the home is that of %s', async (isTrusted, role) => {
    await open('startup_unverified', { isTrusted, path: '/app-dashboard' });
    await waitFor(() => expect(screen.getByText('Active role').nextSibling).toHaveTextContent(role));
    expect(screen.getByText('Going to').nextSibling).toHaveTextContent('/startup');
  });

  it('opens and closes the guard of verified startups when it is switched', async () => {
    const { router, queryClient } = await open('startup_unverified', { path: '/verified' });
    await waitFor(() => expect(router.state.location.pathname).toBe('/startup'));
    const { queryKey } = settingsQueries.app();
    await waitFor(() => expect(queryClient.getQueryData(queryKey)).toBeDefined());
    const switchTo = (treat_unverified_as_verified: boolean) =>
      act(() => queryClient.setQueryData(queryKey, settingsRow({ treat_unverified_as_verified })));
    switchTo(true);
    await waitFor(() => expect(resolveRole('startup_unverified', 'user_test')).toBe('startup_verified'));
    await act(() => router.navigate('/verified'));
    expect(await screen.findByText('for verified projects')).toBeInTheDocument();
    switchTo(false);
    await waitFor(() => expect(router.state.location.pathname).toBe('/startup'));
  });

  it('is not requested by members, who are not affected', async () => {
    const { api } = await open('community');
    await screen.findByRole('link', { name: /points$/ });
    expect(api.calls.filter(({ path }) => path === 'app_settings')).toEqual([]);
  });
});

it('BEY-01 founders see in the header how many proofs are pending in all quests', async () => {
  await open('startup_verified', { waiting: [{ pending_count: 60 }, { pending_count: 7 }] });
  expect(await screen.findByRole('link', { name: 'Review 67 waiting' })).toHaveAttribute('href', '/startup/review');
});
