import { act, screen, waitFor, within } from '@testing-library/react';
import { strFromU8, unzipSync } from 'fflate';
import { accountQueries } from '@/features/account';
import { projectRow } from '@/features/projects/testing';
import * as csv from '@/lib/csv';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import SettingsPage from './settings-page';

const consent = {
  id: 'c1',
  user_id: 'user_test',
  campaign_id: 'q1',
  project_name: 'Paperkite',
  quest_title: 'Test our app',
  email: 'robin@example.org',
  statement: 'I agree that Paperkite gets my email address.',
  given_at: '2026-03-01T00:00:00Z',
  withdrawn_at: null,
  handed_over_at: '2026-03-01T00:00:00Z',
};

function setUp(profile = profileRow()) {
  const api = fakeApi({
    'GET user_profiles': [profile],
    'GET appeals': [],
    'GET email_consents': [
      consent,
      { ...consent, id: 'c2', project_name: 'Northloop', withdrawn_at: '2026-03-02T00:00:00Z' },
    ],
    'rpc update_profile': profileRow({ username: 'rr' }),
    'rpc withdraw_email_consent': { ...consent, withdrawn_at: '2026-03-05T00:00:00Z' },
    'rpc get_notification_preferences': [{ kind: 'proof_rejected', is_mailed: true }],
    'rpc get_own_startup': [],
    'rpc get_own_data': { profile: [{ user_id: 'user_test' }] },
  });
  const routes = [
    { path: '/settings', element: <SettingsPage /> },
    { path: '*', element: <p>Somewhere else</p> },
  ];
  const openAccount = vi.fn();
  return { ...renderApp(null, { identity: signedIn(), path: '/settings', routes, openAccount }), api, openAccount };
}

describe('settings', () => {
  it('cannot be cancelled while they are being saved', async () => {
    const { api, user, router } = setUp();
    const answer = Promise.withResolvers<unknown>();
    api.routes['rpc update_profile'] = () => answer.promise;
    await user.type(await screen.findByRole('textbox', { name: /Username/ }), '-2');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(api.calls.some(({ path }) => path === 'rpc/update_profile')).toBe(true));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    answer.resolve(profileRow({ username: 'robin-2' }));
    expect(await screen.findByText('Profile updated successfully!')).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: /Username/ })).toHaveValue('robin-2');
    expect(router.state.location.pathname).toBe('/settings');
  });

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

  it('links to the identity provider for password, addresses and account deletion', async () => {
    const { user, openAccount } = setUp();
    await user.click(await screen.findByRole('button', { name: 'Manage account' }));
    expect(openAccount).toHaveBeenCalledTimes(1);
  });

  it('C-98 tells a founder, and nobody else, what becomes of the project when the account is deleted', async () => {
    const { api, queryClient } = setUp();
    const signIn = await screen.findByRole('region', { name: 'Sign-in' });
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(signIn).not.toHaveTextContent('Your project goes with your account');
    api.routes['rpc get_own_startup'] = projectRow();
    await act(() => queryClient.refetchQueries());
    await waitFor(() => expect(signIn).toHaveTextContent('Your project goes with your account: its quests are closed'));
  });

  it('BEY-10 lists who has the address, with the consent text, and withdraws it after confirmation', async () => {
    const { user, api } = setUp();
    const shared = within(await screen.findByRole('region', { name: 'Shared addresses' }));
    expect(await shared.findByText('Paperkite')).toBeVisible();
    expect(shared.getAllByText('I agree that Paperkite gets my email address.')).toHaveLength(2);
    expect(shared.getByText(/Ended on/)).toBeVisible();
    await user.click(shared.getByRole('button', { name: 'Take back the address from Paperkite' }));
    expect(api.calls.some(({ path }) => path === 'rpc/withdraw_email_consent')).toBe(false);
    await user.click(await screen.findByRole('button', { name: 'Take back' }));
    expect(await screen.findByText('Paperkite no longer has your address')).toBeInTheDocument();
    expect(api.calls.find(({ path }) => path === 'rpc/withdraw_email_consent')?.body).toEqual({ p_consent_id: 'c1' });
  });

  it('BEY-10 an address of a task that is only started can be taken back before the project gets it', async () => {
    const { user, api } = setUp();
    api.routes['GET email_consents'] = [{ ...consent, handed_over_at: null }];
    const shared = within(await screen.findByRole('region', { name: 'Shared addresses' }));
    expect(await shared.findByText('The project gets it when your task is confirmed.')).toBeVisible();
    await user.click(shared.getByRole('button', { name: 'Take back the address from Paperkite' }));
    expect(await screen.findByText(/The project does not have it yet, and will not get it/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Take back' }));
    expect(await screen.findByText('Paperkite will not get your address')).toBeInTheDocument();
  });

  it('BEY-24 downloads the data export as one archive', async () => {
    const { user } = setUp();
    const saved = vi.spyOn(csv, 'downloadBlob').mockImplementation(() => undefined);
    await user.click(await screen.findByRole('button', { name: 'Download my data' }));
    await waitFor(() => expect(saved).toHaveBeenCalledOnce());
    const [file, name] = saved.mock.calls[0] ?? [];
    expect(name).toMatch(/^questboard_my_data_\d{4}-\d\d-\d\d\.zip$/);
    const files = unzipSync(new Uint8Array(await (file ?? new Blob()).arrayBuffer()));
    expect(Object.keys(files)).toEqual(['everything.json', 'profile.csv']);
    expect(JSON.parse(strFromU8(files['everything.json'] ?? new Uint8Array()))).toEqual({
      profile: [{ user_id: 'user_test' }],
    });
  });

  it('BEY-24 says when the next data export can be had', async () => {
    const { api, user } = setUp();
    api.routes['rpc get_own_data'] = refuse(429, 'RATE_LIMITED', 'Rate limit exceeded');
    await user.click(await screen.findByRole('button', { name: 'Download my data' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /^You have downloaded it several times just now\. Please/,
    );
  });

  it('BEY-24 takes back the failure of a data export once the next one has succeeded', async () => {
    const { api, user } = setUp();
    const data = api.routes['rpc get_own_data'];
    vi.spyOn(csv, 'downloadBlob').mockImplementation(() => undefined);
    api.routes['rpc get_own_data'] = refuse(500, null, 'down');
    await user.click(await screen.findByRole('button', { name: 'Download my data' }));
    await screen.findByText('Something went wrong on our side. Please try again.');
    api.routes['rpc get_own_data'] = data;
    await user.click(screen.getByRole('button', { name: 'Download my data' }));
    expect(await screen.findByText('Your data has been downloaded')).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('says that an account is suspended, and why', async () => {
    setUp(profileRow({ suspended_at: '2026-02-01T00:00:00Z', suspension_reason: 'Copied proofs' }));
    const status = await screen.findByRole('region', { name: 'Account Status' });
    expect(status).toHaveTextContent('StatusSuspended');
    expect(status).toHaveTextContent('Copied proofs');
    expect(await within(status).findByRole('button', { name: 'Appeal' })).toBeVisible();
  });

  it('PROF-05 a form that opens with an older profile does not put it back', async () => {
    const { api, user, queryClient, router } = setUp();
    await screen.findByRole('textbox', { name: /Username/ });
    await act(() => router.navigate('/elsewhere'));
    queryClient.setQueryData(
      accountQueries.profile('user_test').queryKey,
      profileRow({ username: 'old', display_name: 'R' }),
    );
    const now = Promise.withResolvers<unknown>();
    api.routes['GET user_profiles'] = () => now.promise;
    await act(() => router.navigate('/settings'));
    await user.type(screen.getByRole('textbox', { name: /Display name/ }), 'R');
    now.resolve([profileRow()]);
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(api.calls.at(-1)?.path).toBe('rpc/update_profile'));
    expect(api.calls.at(-1)?.body).toMatchObject({ p_username: 'robin', p_display_name: 'RR' });
  });

  it('keeps what is typed while the names are being saved', async () => {
    const { user, api } = setUp();
    const answer = Promise.withResolvers<unknown>();
    api.routes['rpc update_profile'] = () => answer.promise;
    const name = await screen.findByRole('textbox', { name: /Display name/ });
    await user.type(name, ' II');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await user.type(name, 'I');
    answer.resolve(profileRow({ display_name: 'Robin Reed II' }));
    await screen.findByText('Profile updated successfully!');
    expect(name).toHaveValue('Robin Reed III');
  });

  it('leaves for where a link was pressed while the names were being saved, once they are', async () => {
    const { user, api, router } = setUp();
    const answer = Promise.withResolvers<unknown>();
    api.routes['rpc update_profile'] = () => answer.promise;
    await user.type(await screen.findByRole('textbox', { name: /Display name/ }), ' II');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await user.click(screen.getByRole('link', { name: 'View rewards' }));
    expect(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
    answer.resolve(profileRow({ display_name: 'Robin Reed II' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/rewards'));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
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

  it('PROF-02 Cancel takes back what was typed where there is no page to go back to; what is typed then is asked about', async () => {
    const { user } = setUp();
    const name = await screen.findByRole('textbox', { name: /Display name/ });
    await user.type(name, ' Esq.');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(name).toHaveValue('Robin Reed');
    await user.type(name, ' II');
    await user.click(screen.getByRole('link', { name: 'View rewards' }));
    expect(screen.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
  });

  it('C-65 shows the stored address again after saving another, and says why', async () => {
    const { user } = setUp();
    const email = await screen.findByRole('textbox', { name: /Email/ });
    await user.clear(email);
    await user.type(email, 'new@example.org');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText(/until new@example.org is verified/)).toBeInTheDocument();
    expect(email).toHaveValue('robin@example.org');
  });

  it('PROF-03 also marks the username as required; PROF-05 saves the three fields', async () => {
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
