import { act, screen, within } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import SettingsPage from './settings-page';

function setUp(profile = profileRow()) {
  const api = fakeApi({ 'GET user_profiles': [profile], 'rpc update_profile': profileRow({ username: 'rr' }) });
  const routes = [
    { path: '/settings', element: <SettingsPage /> },
    { path: '*', element: <p>Somewhere else</p> },
  ];
  const openAccount = vi.fn();
  return { ...renderApp(null, { identity: signedIn(), path: '/settings', routes, openAccount }), api, openAccount };
}

describe('settings', () => {
  it('PROF-02 shows profile fields, account status and quick actions', async () => {
    setUp(profileRow({ og_badge: true }));
    expect(await screen.findByRole('textbox', { name: /Username/ })).toHaveValue('robin');
    expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveValue('Robin Reed');
    expect(screen.getByRole('textbox', { name: /Email/ })).toHaveValue('robin@example.org');
    const status = screen.getByRole('region', { name: 'Account Status' });
    expect(status).toHaveTextContent('StatusActive');
    expect(status).toHaveTextContent('RoleCommunity Member');
    expect(status).toHaveTextContent('OG MemberYes');
    const actions = within(screen.getByRole('region', { name: 'Quick Actions' })).getAllByRole('link');
    expect(actions.map((action) => action.getAttribute('href'))).toEqual(['/profile', '/rewards', '/community']);
  });

  it('leads to the sign-in service for password, addresses and the end of the account', async () => {
    const { user, openAccount } = setUp();
    await user.click(await screen.findByRole('button', { name: 'Manage account' }));
    expect(openAccount).toHaveBeenCalledTimes(1);
  });

  it('says that an account is suspended, and why', async () => {
    setUp(profileRow({ suspended_at: '2026-02-01T00:00:00Z', suspension_reason: 'Copied proofs' }));
    const status = await screen.findByRole('region', { name: 'Account Status' });
    expect(status).toHaveTextContent('StatusSuspended');
    expect(status).toHaveTextContent('Copied proofs');
  });

  it('PROF-02 Cancel goes back one page', async () => {
    const view = setUp();
    await screen.findByRole('textbox', { name: /Username/ });
    await act(() => view.router.navigate('/rewards'));
    await act(() => view.router.navigate('/settings'));
    await view.user.type(await screen.findByRole('textbox', { name: /Username/ }), 'x');
    await view.user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Somewhere else')).toBeInTheDocument();
    expect(view.router.state.location.pathname).toBe('/rewards');
  });

  it('PROF-03 also marks the username required; PROF-05 saves by the three fields', async () => {
    const { user, api } = setUp();
    const username = await screen.findByRole('textbox', { name: /Username/ });
    expect(username).toBeRequired();
    await user.clear(username);
    await user.type(username, 'rr');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Profile updated successfully!')).toBeInTheDocument();
    expect(api.calls.find(({ path }) => path === 'rpc/update_profile')?.body).toEqual({
      p_username: 'rr',
      p_display_name: 'Robin Reed',
      p_email: 'robin@example.org',
    });
  });
});
