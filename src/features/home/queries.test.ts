import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import { homeQueries } from './queries';

it('HOME-01 the figures are the first row of the answer, requested by GET, or null without a row', async () => {
  const stats = { total_members: 1, active_campaigns: 2, verified_startups: 3, total_rewards_paid: 4 };
  const api = fakeApi({ 'rpc get_site_stats': [stats] });
  expect(await fetchQuery(homeQueries.siteStats())).toEqual(stats);
  api.routes['rpc get_site_stats'] = [];
  expect(await fetchQuery(homeQueries.siteStats())).toBeNull();
  expect(api.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
});
