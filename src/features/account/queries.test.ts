import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import { profileRow } from '@/lib/testing/rows';
import { accountQueries } from './queries';

it("a profile is the user's own, null before the first sync", async () => {
  const own = profileRow();
  fakeApi({ 'GET user_profiles': [profileRow({ id: 'profile-2', user_id: 'user_other' }), own] });
  expect(await fetchQuery(accountQueries.profile('user_test'))).toEqual(own);
  expect(await fetchQuery(accountQueries.profile('user_new'))).toBeNull();
  expect(accountQueries.profile('a').queryKey).toEqual([...accountQueries.keys.all, 'profile', 'a']);
});
