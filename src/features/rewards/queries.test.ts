import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { rewardQueries } from './queries';
import { leaderboardEntry, redemption, reward } from './testing';

it('REWARD-10 available rewards are active, cheapest first', async () => {
  fakeApi({
    'GET rewards': [
      reward({ id: '0-dear', points_cost: 900 }),
      reward({ id: 'b', points_cost: 500 }),
      reward({ id: 'gone', points_cost: 1, is_active: false }),
      reward({ id: 'a', points_cost: 500 }),
    ],
  });
  expect(idsOf(await fetchQuery(rewardQueries.list()))).toEqual(['a', 'b', '0-dear']);
});

it("C-50 redemptions are the member's last 50, newest first", async () => {
  const rows = Array.from({ length: 51 }, (_, index) => ({
    ...redemption({ id: `r${String(index).padStart(2, '0')}`, created_at: '2026-02-01T12:00:00Z' }),
    user_id: 'user_test',
  }));
  const late = { ...redemption({ id: 'a-late', created_at: '2026-02-02T12:00:00Z' }), user_id: 'user_test' };
  const foreign = { ...redemption({ id: 'foreign', created_at: '2026-03-01T12:00:00Z' }), user_id: 'user_other' };
  fakeApi({ 'GET redemptions': [...rows, late, foreign] });
  const read = await fetchQuery(rewardQueries.redemptions('user_test'));
  expect(idsOf(read)).toEqual(['a-late', ...idsOf(rows).toReversed().slice(0, 49)]);
  expect(read[0]).toEqual(redemption({ id: 'a-late', created_at: '2026-02-02T12:00:00Z' }));
});

it('REWARD-04 REWARD-06 C-84 the leaderboards of all time and of the week are requested for 50 players, by GET', async () => {
  const api = fakeApi({ 'rpc get_leaderboard': [leaderboardEntry()] });
  expect(await fetchQuery(rewardQueries.leaderboard('all'))).toEqual([leaderboardEntry()]);
  await fetchQuery(rewardQueries.leaderboard('week'));
  expect(api.calls.map(({ method, params }) => [method, params.get('p_limit'), params.get('p_period')])).toEqual([
    ['GET', '50', 'all'],
    ['GET', '50', 'week'],
  ]);
});

it('BEY-08 own rank, streak and a public profile are null when there is none', async () => {
  const api = fakeApi({ 'rpc get_own_rank': [], 'rpc get_own_streak': [], 'rpc get_member_profile': [] });
  expect(await fetchQuery(rewardQueries.ownRank('user_test', 'week'))).toBeNull();
  expect(await fetchQuery(rewardQueries.streak('user_test'))).toBeNull();
  expect(await fetchQuery(rewardQueries.memberProfile('kite'))).toBeNull();
  expect(api.calls.map(({ params }) => Object.fromEntries(params))).toEqual([
    { p_period: 'week' },
    {},
    { p_handle: 'kite' },
  ]);
});

it("BEY-08 badges are the member's, earliest first", async () => {
  const badge = (name: string, week: string, user_id = 'user_test') => ({ user_id, badge: name, week });
  fakeApi({
    'GET badges': [
      badge('ten_tasks', '2026-02-02'),
      badge('first_task', '2026-01-05'),
      badge('first_task', '2026-01-05', 'user_other'),
    ],
  });
  expect((await fetchQuery(rewardQueries.badges('user_test'))).map(({ badge }) => badge)).toEqual([
    'first_task',
    'ten_tasks',
  ]);
});

it('C-99 a redemption is found by its key, requested every time', async () => {
  const row = (idempotency_key: string) => ({ ...redemption(), idempotency_key });
  const api = fakeApi({ 'GET redemptions': [row('key-1'), row('key-2')] });
  expect(await fetchQuery(rewardQueries.byKey('key-2'))).toEqual(row('key-2'));
  expect(await fetchQuery(rewardQueries.byKey('key-3'))).toBeNull();
  expect(api.calls[0]?.params.get('idempotency_key')).toBe('eq.key-2');
  expect(rewardQueries.byKey('key-2').gcTime).toBe(0);
});

it("BEY-08 the own profile is the member's", async () => {
  const profile = (user_id: string) => ({ user_id, handle: user_id, is_public: true });
  fakeApi({ 'GET member_profiles': [profile('user_other'), profile('user_test')] });
  expect(await fetchQuery(rewardQueries.ownProfile('user_test'))).toMatchObject({ handle: 'user_test' });
  expect(await fetchQuery(rewardQueries.ownProfile('user_new'))).toBeNull();
});

it('all reward queries are invalidated together and cached separately', () => {
  const keys = [
    rewardQueries.leaderboard('all'),
    rewardQueries.leaderboard('week'),
    rewardQueries.ownRank('a', 'all'),
    rewardQueries.ownRank('a', 'week'),
    rewardQueries.streak('a'),
    rewardQueries.badges('a'),
    rewardQueries.ownProfile('a'),
    rewardQueries.memberProfile('a'),
    rewardQueries.list(),
    rewardQueries.redemptions('a'),
    rewardQueries.redemptions('b'),
  ].map(({ queryKey }) => queryKey);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  expect(keys.every(([first]) => first === rewardQueries.keys.all[0])).toBe(true);
});
