import { act, screen, waitFor } from '@testing-library/react';
import { ProfileSync } from '@/features/account';
import { type ApiCall, fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow, settingsRow } from '@/lib/testing/rows';
import { ReferralClaim } from './referral-claim';

const pendingKey = 'questboard.pending-referral';

function setUp({ claim = { id: 'referral-1' } as unknown, identity = signedIn() } = {}) {
  const api = fakeApi({
    'GET app_settings': [settingsRow()],
    'rpc sync_current_user': profileRow(),
    'rpc process_referral_signup': claim,
    'POST /api/send-email': { ok: true, sent: true },
  });
  const view = renderApp(
    <>
      <ProfileSync />
      <ReferralClaim />
    </>,
    { identity },
  );
  const calls = (name: string): ApiCall[] => api.calls.filter(({ path }) => path === `rpc/${name}`);
  return { ...view, api, calls };
}

describe('pending referral', () => {
  beforeEach(() => localStorage.setItem(pendingKey, 'REF12345678'));

  it('REF-05 is processed once with user id and code after the profile exists, and is then no longer pending', async () => {
    const { calls } = setUp();
    await waitFor(() => expect(localStorage.getItem(pendingKey)).toBeNull());
    expect(calls('process_referral_signup').map(({ body }) => body)).toEqual([
      { p_user_id: 'user_test', p_code: 'REF12345678' },
    ]);
  });

  it.each([
    [250, '250 points'],
    [1, '1 point'],
  ])('C-80 says that the bonus of %i has arrived, and when it can be redeemed', async (points, words) => {
    setUp({ claim: { id: 'referral-1', referred_reward_points: points } });
    expect(
      await screen.findByText(
        `Welcome. You have ${words} from your invitation, to redeem after your first approved task.`,
      ),
    ).toBeVisible();
  });

  it('C-66 is removed silently when it is refused', async () => {
    const { container } = setUp({ claim: refuse(409, 'ALREADY_REFERRED', 'User already referred') });
    await waitFor(() => expect(localStorage.getItem(pendingKey)).toBeNull());
    expect(container).not.toHaveTextContent('User already referred');
  });

  it.each([
    ['there was no answer', offline()],
    ['the referrer has reached the daily limit', refuse(429, 'REFERRAL_LIMIT', 'Please try again tomorrow.')],
  ])('waits for the next visit when %s', async (_, claim) => {
    const { calls } = setUp({ claim });
    await waitFor(() => expect(calls('process_referral_signup')).toHaveLength(1));
    expect(localStorage.getItem(pendingKey)).toBe('REF12345678');
  });

  it('is also claimed when the link is opened in another tab while this one is signed in', async () => {
    localStorage.removeItem(pendingKey);
    const { calls } = setUp();
    await waitFor(() => expect(calls('sync_current_user')).toHaveLength(1));
    localStorage.setItem(pendingKey, 'REF87654321');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: pendingKey })));
    await waitFor(() => expect(calls('process_referral_signup')[0]?.body).toMatchObject({ p_code: 'REF87654321' }));
    await waitFor(() => expect(localStorage.getItem(pendingKey)).toBeNull());
  });

  it('C-14 waits while nobody is signed in', async () => {
    const { api } = setUp({ identity: signedOut });
    await requestsSent();
    expect(api.calls).toEqual([]);
    expect(localStorage.getItem(pendingKey)).toBe('REF12345678');
  });

  it('ERR-04 C-44 is not claimed when the profile could not be created', async () => {
    const { api, calls } = setUp();
    api.routes['rpc sync_current_user'] = refuse(
      403,
      'SUSPENDED',
      'Your account is suspended. Please contact support.',
    );
    await waitFor(() => expect(calls('sync_current_user')).toHaveLength(1));
    await requestsSent();
    expect(calls('process_referral_signup')).toEqual([]);
    expect(localStorage.getItem(pendingKey)).toBe('REF12345678');
  });
});
