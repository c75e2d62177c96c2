import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import { homeQueries, siteFigures } from './queries';

it('HOME-01 the figures are the first row of the answer, requested by GET, or null without a row', async () => {
  const stats = { total_members: 1, active_campaigns: 2, verified_startups: 3, total_rewards_paid: 4 };
  const api = fakeApi({ 'rpc get_site_stats': [stats] });
  expect(await fetchQuery(homeQueries.siteStats())).toEqual(stats);
  api.routes['rpc get_site_stats'] = [];
  expect(await fetchQuery(homeQueries.siteStats())).toBeNull();
  expect(api.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
});

const stats = { total_members: 1204, active_campaigns: 31, verified_startups: 12, total_rewards_paid: 98_000 };
const floors = { member_floor: 47, quest_floor: 3, points_floor: 12_700 };

const figures = (isFloor: boolean) => (members: number, quests: number, points: number) => ({
  members: { value: members, isFloor },
  quests: { value: quests, isFloor },
  points: { value: points, isFloor },
});
const real = figures(false);
const floor = figures(true);

it('HOME-09 figures above their floors are shown unchanged', () => {
  expect(siteFigures(stats)).toEqual(real(1204, 31, 98_000));
});

it('HOME-09 C-26 C-112 a missing or zero figure shows its floor, marked as such: 47 members, 3 quests, 12,700 points', () => {
  const zero = { ...stats, total_members: 0, active_campaigns: 0, total_rewards_paid: 0 };
  expect(siteFigures(zero)).toEqual(floor(47, 3, 12_700));
  expect(siteFigures(undefined)).toEqual(floor(47, 3, 12_700));
});

it('C-83 C-26 a small figure is shown unchanged: home shows as many quests as the hub lists', () => {
  const low = { ...stats, total_members: 4, active_campaigns: 2, total_rewards_paid: 12 };
  expect(siteFigures(low)).toEqual(real(4, 2, 12));
});

it('C-26 the floors can be switched off in the settings', () => {
  expect(siteFigures(null, { ...floors, member_floor: 0 }).members.value).toBe(0);
});
