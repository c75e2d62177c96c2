import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import { settingsRow } from '@/lib/testing/rows';
import { settingsQueries } from './queries';

it("the settings are read by column, without the owner's address, and are fresh for five minutes", async () => {
  const api = fakeApi({ 'GET app_settings': [{ ...settingsRow(), owner_email: 'owner@example.org' }] });
  const query = settingsQueries.app();
  expect(await fetchQuery(query)).toEqual(settingsRow());
  expect(api.calls[0]?.params.get('select')).not.toMatch(/\*|owner_email/);
  expect(query.staleTime).toBe(300_000);
});
