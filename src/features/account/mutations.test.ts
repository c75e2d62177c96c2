// @vitest-environment jsdom
import { readStorage } from '@/lib/storage';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { profileRow } from '@/lib/testing/rows';
import { runMutation } from '@/lib/testing/run-mutation';
import { useSwitchRole, useSyncProfile, useUpdateProfile } from './mutations';
import { accountQueries } from './queries';

const saved = profileRow({ display_name: 'Robin R.' });
const names = { username: 'robin', displayName: 'Robin R.', email: 'robin@example.org' };

it.each([
  ['AUTH-08', 'sync_current_user', () => runMutation(useSyncProfile, 'user_test'), {}],
  ['HEAD-04', 'switch_role', () => runMutation(useSwitchRole, 'startup'), { p_role: 'startup' }],
  [
    'PROF-05',
    'update_profile',
    () => runMutation(useUpdateProfile, names),
    { p_username: 'robin', p_display_name: 'Robin R.', p_email: 'robin@example.org' },
  ],
])('%s the profile that %s answers with is shown at once', async (_, procedure, run, body) => {
  const api = fakeApi({ [`rpc ${procedure}`]: saved });
  const { data, queryClient } = await run();
  expect(data).toEqual(saved);
  expect(api.calls[0]?.body).toEqual(body);
  expect(queryClient.getQueryData(accountQueries.profile('user_test').queryKey)).toEqual(saved);
});

it.each([
  ['startup', 'startup_verified', 'startup_verified'],
  ['startup', 'admin', 'startup_unverified'],
  ['community', 'admin', 'community'],
] as const)(
  'HEAD-04 C-10 C-11 after a switch to %s with %s in the profile, %s is the role here',
  async (side, role, active) => {
    fakeApi({ 'rpc switch_role': profileRow({ role }) });
    await runMutation(useSwitchRole, side);
    expect([readStorage('selectedRole'), readStorage('roleOwner')]).toEqual([active, 'user_test']);
  },
);

it('a refusal leaves the profile as it was', async () => {
  fakeApi({ 'rpc update_profile': refuse(403, 'SUSPENDED', 'This account is suspended') });
  const { error, queryClient } = await runMutation(useUpdateProfile, names);
  expect(error).toMatchObject({ message: 'This account is suspended' });
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});
