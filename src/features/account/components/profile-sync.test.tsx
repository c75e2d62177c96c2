import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { toast } from '@/components/ui/toast';
import { AuthContext, type Identity } from '@/lib/auth/session';
import { type ApiCall, fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow, settingsRow } from '@/lib/testing/rows';
import { useSwitchRole } from '../mutations';
import type { Profile } from '../queries';
import { ProfileSync } from './profile-sync';

function setUp(routes: { saved?: Partial<Profile>; mail?: unknown } = {}, identity: Identity = signedIn()) {
  const api = fakeApi({
    'GET app_settings': [settingsRow()],
    'rpc sync_current_user': profileRow(routes.saved),
    'POST /api/send-email': 'mail' in routes ? routes.mail : { ok: true, sent: true },
  });
  const view = renderApp(<ProfileSync />, { identity });
  const calls = (name: string): ApiCall[] => api.calls.filter(({ path }) => path === `rpc/${name}`);
  const mails = (): ApiCall[] => api.calls.filter(({ path }) => path === '/api/send-email');
  return { ...view, api, calls, mails };
}

function SwitchButton() {
  const { mutate } = useSwitchRole();
  return (
    <button type="button" onClick={() => mutate('startup')}>
      Project
    </button>
  );
}

const auth = { signOut: () => Promise.resolve(), openAccount: () => undefined, setFormSlot: () => undefined };

function ChangesAddress() {
  const [email, setEmail] = useState('member@example.org');
  return (
    <AuthContext value={{ ...auth, identity: signedIn('community', { email }) }}>
      <ProfileSync />
      <button type="button" onClick={() => setEmail('new@example.org')}>
        Set as primary
      </button>
    </AuthContext>
  );
}

describe('profile sync', () => {
  it('AUTH-08 creates or updates the profile at sign-in, with the previously chosen role', async () => {
    localStorage.setItem('selectedRole', 'startup_unverified');
    const { calls } = setUp({ saved: { role: 'startup_verified' } });
    await waitFor(() => expect(calls('sync_current_user')).toHaveLength(1));
    expect(calls('sync_current_user')[0]?.body).toEqual({ p_selected_role: 'startup_unverified' });
    await waitFor(() => expect(localStorage.getItem('selectedRole')).toBe('startup_verified'));
  });

  it('does nothing for visitors (C-14)', async () => {
    const { api } = setUp({}, signedOut);
    await requestsSent();
    expect(api.calls).toEqual([]);
  });

  it('AUTH-08 that got no answer is tried again with the next page, and one that was refused is not', async () => {
    const { api, calls, router, queryClient } = setUp();
    api.routes['rpc sync_current_user'] = offline();
    await waitFor(() => expect([calls('sync_current_user').length, queryClient.isMutating()]).toEqual([1, 0]));
    api.routes['rpc sync_current_user'] = refuse(403, 'SUSPENDED', 'Your account is suspended.');
    await act(() => router.navigate('/community'));
    await waitFor(() => expect([calls('sync_current_user').length, queryClient.isMutating()]).toEqual([2, 0]));
    await act(() => router.navigate('/rewards'));
    await requestsSent();
    expect(calls('sync_current_user')).toHaveLength(2);
  });

  it('C-65 PROF-02 shows an address that was changed in the account dialog', async () => {
    const api = fakeApi({
      'GET app_settings': [settingsRow()],
      'rpc sync_current_user': profileRow(),
      'POST /api/send-email': { ok: true, sent: true },
    });
    const { user, queryClient } = renderApp(<ChangesAddress />);
    const syncs = () => api.calls.filter(({ path }) => path === 'rpc/sync_current_user');
    const shown = () => queryClient.getQueryData<Profile>(['account', 'profile', 'user_test'])?.email;
    await waitFor(() => expect(shown()).toBe('robin@example.org'));
    api.routes['rpc sync_current_user'] = profileRow({ email: 'new@example.org' });
    await user.click(screen.getByRole('button', { name: 'Set as primary' }));
    await waitFor(() => expect(shown()).toBe('new@example.org'));
    expect(syncs()).toHaveLength(2);
  });

  it('does not send a role that another person chose on this browser', async () => {
    localStorage.setItem('selectedRole', 'startup_verified');
    localStorage.setItem('questboard.role-owner', 'someone_else');
    const { calls } = setUp();
    await waitFor(() => expect(calls('sync_current_user')).toHaveLength(1));
    expect(calls('sync_current_user')[0]?.body).toEqual({});
    await waitFor(() => expect(localStorage.getItem('selectedRole')).toBe('community'));
  });

  it('HEAD-04 keeps a role switch requested during the sync, and sends it afterwards', async () => {
    localStorage.setItem('selectedRole', 'community');
    localStorage.setItem('questboard.role-owner', 'user_test');
    const sync = Promise.withResolvers<Profile>();
    const api = fakeApi({
      'GET app_settings': [settingsRow()],
      'rpc sync_current_user': () => sync.promise,
      'rpc switch_role': profileRow({ role: 'startup_unverified' }),
      'POST /api/send-email': { ok: true, sent: true },
    });
    const { user } = renderApp(
      <>
        <ProfileSync />
        <SwitchButton />
      </>,
      { identity: signedIn() },
    );
    await user.click(screen.getByRole('button', { name: 'Project' }));
    const isSwitchSent = () => api.calls.some(({ path }) => path === 'rpc/switch_role');
    expect(isSwitchSent()).toBe(false);
    sync.resolve(profileRow({ role: 'community' }));
    await waitFor(() => expect(localStorage.getItem('selectedRole')).toBe('startup_unverified'));
    expect(isSwitchSent()).toBe(true);
  });

  it('keeps a role that another tab chose during the sync', async () => {
    localStorage.setItem('selectedRole', 'community');
    localStorage.setItem('questboard.role-owner', 'user_test');
    const sync = Promise.withResolvers<Profile>();
    fakeApi({
      'GET app_settings': [settingsRow()],
      'rpc sync_current_user': () => sync.promise,
      'POST /api/send-email': { ok: true, sent: true },
    });
    const { queryClient } = renderApp(<ProfileSync />, { identity: signedIn() });
    localStorage.setItem('selectedRole', 'startup_unverified');
    sync.resolve(profileRow({ role: 'community' }));
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    expect(localStorage.getItem('selectedRole')).toBe('startup_unverified');
  });

  it('ERR-04 C-44 shows no message when the sync is refused', async () => {
    const shown = vi.spyOn(toast, 'error');
    const { api, calls, container, queryClient } = setUp();
    api.routes['rpc sync_current_user'] = refuse(
      403,
      'SUSPENDED',
      'Your account is suspended. Please contact support.',
    );
    await waitFor(() => expect([calls('sync_current_user').length, queryClient.isMutating()]).toEqual([1, 0]));
    await requestsSent();
    expect(shown).not.toHaveBeenCalled();
    expect(container).not.toHaveTextContent(/suspended/i);
  });
});

describe('welcome mail', () => {
  const flag = 'questboard.welcome-email-sent.user_test';

  it('MAIL-03 MAIL-04 is requested once the profile exists, for its address, and remembered on this browser', async () => {
    const first = setUp({ saved: { role: 'startup_unverified' } });
    await waitFor(() => expect(localStorage.getItem(flag)).toBe('true'));
    expect(first.mails().map(({ body }) => body)).toEqual([
      {
        type: 'welcome',
        recipient: { email: 'robin@example.org', name: 'Robin Reed' },
        userRole: 'startup_unverified',
        firstName: 'Robin',
      },
    ]);
    first.unmount();
    const second = setUp();
    await waitFor(() => expect(second.queryClient.isMutating()).toBe(0));
    await requestsSent();
    expect(second.mails()).toEqual([]);
  });

  it.each([
    ['was sent before, from another browser', { welcome_email_sent_at: '2026-01-01T00:00:00Z' }],
    ['has no verified address to go to', { email: null }],
  ])('MAIL-03 is not requested when it %s', async (_why, saved) => {
    const { mails } = setUp({ saved });
    await waitFor(() => expect(localStorage.getItem('selectedRole')).toBe('community'));
    await requestsSent();
    expect(mails()).toEqual([]);
  });

  it.each([
    ['is refused', refuse(502, 'MAIL_NOT_SENT', 'The email could not be sent.')],
    ['gets no answer', offline()],
  ])('MAIL-05 ERR-04 that %s is no error, shows no message, and is retried on the next visit', async (_how, mail) => {
    const first = setUp({ mail });
    await waitFor(() => expect(first.mails()).toHaveLength(1));
    await waitFor(() => expect(localStorage.getItem('selectedRole')).toBe('community'));
    expect(first.container).toHaveTextContent(/^$/);
    expect(localStorage.getItem(flag)).toBeNull();
    first.unmount();
    const second = setUp();
    await waitFor(() => expect(second.mails()).toHaveLength(1));
    await waitFor(() => expect(localStorage.getItem(flag)).toBe('true'));
  });
});
