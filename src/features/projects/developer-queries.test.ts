import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import { developerQueries } from './developer-queries';

it("BEY-13 secrets and calls are the project's, read by GET", async () => {
  const api = fakeApi({ 'rpc list_signing_secrets': [{ id: 's1' }], 'rpc list_verification_calls': [{ id: 'c1' }] });
  expect(await fetchQuery(developerQueries.secrets('p1'))).toEqual([{ id: 's1' }]);
  expect(await fetchQuery(developerQueries.calls('p1'))).toEqual([{ id: 'c1' }]);
  expect(api.calls.map(({ method, params }) => [method, Object.fromEntries(params)])).toEqual(
    Array(2).fill(['GET', { p_startup_id: 'p1' }]),
  );
});
