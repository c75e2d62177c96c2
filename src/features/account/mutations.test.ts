// @vitest-environment jsdom
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { profileRow } from '@/lib/testing/rows';
import { runMutation } from '@/lib/testing/run-mutation';
import { useSaveRole, useSyncProfile, useUpdateProfile } from './mutations';
import { accountQueries } from './queries';

const saved = profileRow({ display_name: 'Robin R.' });
const names = { username: 'robin', displayName: 'Robin R.', email: 'robin@example.org' };

it.each([
  ['AUTH-08', 'sync_current_user', () => runMutation(useSyncProfile, null), {}],
  [
    'AUTH-08',
    'sync_current_user',
    () => runMutation(useSyncProfile, 'startup_unverified'),
    { p_selected_role: 'startup_unverified' },
  ],
  ['HEAD-04', 'switch_role', () => runMutation(useSaveRole, 'startup'), { p_role: 'startup' }],
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

it('a refusal leaves the profile as it was', async () => {
  fakeApi({ 'rpc update_profile': refuse(403, 'SUSPENDED', 'This account is suspended') });
  const { error, queryClient } = await runMutation(useUpdateProfile, names);
  expect(error).toMatchObject({ message: 'This account is suspended' });
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});
