import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow, transactionPages, transactionRow, walletRow } from '@/lib/testing/rows';
import PeopleTab from '../people/people-tab';
import type { AdminPerson, PersonFacts } from '../people/queries';

/** The only person in the list. */
export const robin: AdminPerson = {
  id: 'profile-1',
  user_id: 'user_robin',
  username: 'robin',
  display_name: 'Robin Reed',
  email: 'robin@example.org',
  role: 'community',
  og_badge: false,
  points: 1250,
  lifetime_points: 3400,
  suspended_at: null,
  suspension_reason: null,
  created_at: '2026-01-01T00:00:00Z',
  cursor: 'cursor-1',
};

/** Facts about somebody who has done nothing. */
export const nothing: PersonFacts = {
  submissions: { total: 0, approved: 0, pending: 0, rejected: 0 },
  flag_count: 0,
  flags: [],
  related: [],
  holds: [],
  redemptions: { total: 0, pending: 0, cancelled: 0, points: 0 },
  admin_revoked_at: null,
  deletion: null,
  project: null,
  history: [],
};

/** The tab of people, over an API that knows robin. */
export function openPeople(
  path = '/admin?tab=people',
  profile = profileRow({ user_id: 'user_robin' }),
  facts = nothing,
) {
  const api = fakeApi({
    'rpc admin_list_users': [robin],
    'rpc admin_get_person': facts,
    'GET user_profiles': [profile],
    'GET wallets': [walletRow({ owner_user_id: 'user_robin', user_id: 'user_robin' })],
    'rpc list_transactions': transactionPages([
      transactionRow(),
      transactionRow({ id: 2, wallet_id: 'other', description: 'Foreign' }),
    ]),
    'GET referral_codes': [
      { id: 'c1', user_id: 'user_robin', code: 'REFROBIN', is_active: true, successful_referrals: 3 },
      { id: 'c2', user_id: 'user_other', code: 'REFOTHER', is_active: true, successful_referrals: 9 },
    ],
    'rpc set_referral_code_active': {},
    'rpc suspend_user': {},
    'rpc lift_suspension': {},
    'rpc adjust_points': { id: 77 },
    'rpc reverse_transfer': { id: 78 },
  });
  return { ...renderApp(<PeopleTab />, { identity: signedIn('admin', { userId: 'user_admin' }), path }), api };
}

/** What a procedure was called with. */
export const bodies = (api: ReturnType<typeof openPeople>['api'], name: string) =>
  api.calls.filter(({ path }) => path === `rpc/${name}`).map(({ body }) => body);
