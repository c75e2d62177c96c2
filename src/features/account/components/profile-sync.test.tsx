import { act, waitFor } from '@testing-library/react';
import type { Identity } from '@/lib/auth/session';
import { type ApiCall, fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import type { Profile } from '../queries';
import { ProfileSync } from './profile-sync';

const pendingKey = 'questboard.pending-referral';

function setUp(routes: { saved?: Partial<Profile>; claim?: unknown } = {}, identity: Identity = signedIn()) {
  const api = fakeApi({
    'rpc sync_current_user': profileRow(routes.saved),
    'rpc process_referral_signup': 'claim' in routes ? routes.claim : { id: 'referral-1' },
  });
  const view = renderApp(<ProfileSync />, { identity });
  const calls = (name: string): ApiCall[] => api.calls.filter(({ path }) => path === `rpc/${name}`);
  return { ...view, api, calls };
}

describe('profile sync', () => {
  it('AUTH-08 makes or refreshes the profile at sign-in, with the role chosen before', async () => {
    localStorage.setItem('selectedRole', 'startup_unverified');
    const { calls } = setUp({ saved: { role: 'startup_verified' } });
    await waitFor(() => expect(calls('sync_current_user')).toHaveLength(1));
    expect(calls('sync_current_user')[0]?.body).toEqual({ p_selected_role: 'startup_unverified' });
    await waitFor(() => expect(localStorage.getItem('selectedRole')).toBe('startup_verified'));
  });

  it('does nothing for visitors (C-14)', async () => {
    localStorage.setItem(pendingKey, 'REF12345678');
    const { api } = setUp({}, signedOut);
    await Promise.resolve();
    expect(api.calls).toEqual([]);
    expect(localStorage.getItem(pendingKey)).toBe('REF12345678');
  });

  it('does not send the role that another person chose on this browser', async () => {
    localStorage.setItem('selectedRole', 'startup_verified');
    localStorage.setItem('questboard.role-owner', 'someone_else');
    const { calls } = setUp();
    await waitFor(() => expect(calls('sync_current_user')).toHaveLength(1));
    expect(calls('sync_current_user')[0]?.body).toEqual({});
    await waitFor(() => expect(localStorage.getItem('selectedRole')).toBe('community'));
  });

  it('ERR-04 stays silent when the sync is refused, and claims nothing then', async () => {
    localStorage.setItem(pendingKey, 'REF12345678');
    const { api, calls, container } = setUp();
    api.routes['rpc sync_current_user'] = refuse(
      403,
      'SUSPENDED',
      'Your account is suspended. Please contact support.',
    );
    await waitFor(() => expect(calls('sync_current_user')).toHaveLength(1));
    expect(container).not.toHaveTextContent(/suspended/i);
    expect(calls('process_referral_signup')).toEqual([]);
  });
});

describe('pending referral', () => {
  beforeEach(() => localStorage.setItem(pendingKey, 'REF12345678'));

  it('REF-05 is processed once with user id and code after the profile exists, and then no longer pending', async () => {
    const { calls } = setUp();
    await waitFor(() => expect(localStorage.getItem(pendingKey)).toBeNull());
    expect(calls('process_referral_signup').map(({ body }) => body)).toEqual([
      { p_user_id: 'user_test', p_code: 'REF12345678' },
    ]);
  });

  it('C-66 is removed also when it is refused, without a word', async () => {
    const { container } = setUp({ claim: refuse(409, 'ALREADY_REFERRED', 'User already referred') });
    await waitFor(() => expect(localStorage.getItem(pendingKey)).toBeNull());
    expect(container).not.toHaveTextContent('User already referred');
  });

  it('waits for the next visit when there was no answer', async () => {
    const { calls } = setUp({ claim: offline() });
    await waitFor(() => expect(calls('process_referral_signup')).toHaveLength(1));
    expect(localStorage.getItem(pendingKey)).toBe('REF12345678');
  });

  it('is claimed also when the link is opened in another tab while this one is signed in', async () => {
    localStorage.removeItem(pendingKey);
    const { calls } = setUp();
    await waitFor(() => expect(calls('sync_current_user')).toHaveLength(1));
    localStorage.setItem(pendingKey, 'REF87654321');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: pendingKey })));
    await waitFor(() => expect(calls('process_referral_signup')[0]?.body).toMatchObject({ p_code: 'REF87654321' }));
    await waitFor(() => expect(localStorage.getItem(pendingKey)).toBeNull());
  });
});
