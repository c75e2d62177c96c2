import { beforeAll, expect, test } from 'vitest';
import type { Json, Tables } from '../../src/types/database.ts';
import { type Member, unwrap } from './support/factories.ts';
import { makeLoadData } from './support/load-data.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { allRows, sum } from './support/rows.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

let admin: Member;
let codes: Tables<'referral_codes'>[];
let referrals: Tables<'referrals'>[];
let profiles: Tables<'user_profiles'>[];

beforeAll(async () => {
  admin = await makeLoadData();
  codes = await allRows('referral_codes');
  referrals = await allRows('referrals');
  profiles = await allRows('user_profiles');
}, 120_000);

const report = async () => (await unwrap(admin.client.rpc('get_admin_referral_stats'))) as { [name: string]: Json };
const round = (value: number) => Math.round(value * 10) / 10;
const nameOf = (userId: string) => profiles.find((row) => row.user_id === userId)?.username ?? 'Unknown User';
const completed = () => referrals.filter(({ status }) => status === 'completed');
const pointsOf = (row: Tables<'referrals'>) => row.referrer_reward_points + row.referred_reward_points;

test('DB-19 ADMIN-09 referrals: codes, clicks, completed, points, conversion rate and clicks per code', async () => {
  const clicks = sum(codes.map((row) => row.clicks));
  expect((await report()).overview).toEqual({
    total_referral_codes: codes.length,
    total_clicks: clicks,
    total_successful_referrals: completed().length,
    total_points_distributed: sum(completed().map(pointsOf)),
    conversion_rate: clicks > 0 ? round((100 * completed().length) / clicks) : 0,
    avg_clicks_per_code: round(clicks / codes.length),
    active_codes: codes.filter((row) => row.is_active).length,
  });
});

test('DB-19 ADMIN-10 the ten referrers with the most completed referrals, and what they earned', async () => {
  const byReferrer = Map.groupBy(completed(), (row) => row.referrer_user_id);
  const expected = [...byReferrer]
    .map(([user_id, brought]) => ({
      user_id,
      username: nameOf(user_id),
      referral_code: codes.find((row) => row.user_id === user_id)?.code,
      successful_referrals: brought.length,
      total_points_earned: sum(brought.map((row) => row.referrer_reward_points)),
    }))
    .sort(
      (one, other) => other.successful_referrals - one.successful_referrals || (one.user_id < other.user_id ? -1 : 1),
    );
  expect(expected.length).toBeGreaterThan(3);
  expect((await report()).top_referrers).toEqual(expected.slice(0, 10));
});

test('DB-19 ADMIN-10 a referrer without completed referrals is not among the ten', async () => {
  const referrers = await rolledBack(async (client) => {
    await client.query('set local session_replication_role = replica');
    await client.query('update public.referral_codes set successful_referrals = 0 where true');
    await client.query(
      'update public.referral_codes set successful_referrals = 1 where id = (select c.id from public.referral_codes c order by c.id limit 1)',
    );
    await actAs(client, admin);
    const { rows } = await client.query("select public.get_admin_referral_stats() -> 'top_referrers' as top");
    return rows[0].top;
  });
  expect(referrers).toHaveLength(1);
});

/** Sorts as the database does: a Date has only milliseconds, and several referrals may complete in one. */
const atMicrosecond = ({ completed_at, id }: { completed_at: string | null; id: string }) =>
  (completed_at ?? '').replace(/(\.\d+)?\+00:00$/, (_, fraction = '.') => fraction.padEnd(7, '0')) + id;

test('DB-19 ADMIN-10 the ten latest completed referrals, with both members', async () => {
  const latest = completed()
    .toSorted((one, other) => (atMicrosecond(one) < atMicrosecond(other) ? 1 : -1))
    .slice(0, 10);
  expect(latest).toHaveLength(10);
  expect((await report()).recent_referrals).toEqual(
    latest.map((row) => ({
      referrer_username: nameOf(row.referrer_user_id),
      referred_username: nameOf(row.referred_user_id),
      referral_code: row.referral_code,
      points_awarded: pointsOf(row),
      completed_at: row.completed_at,
    })),
  );
});

test('DB-19 ADMIN-10 referral health: members without a code, incomplete referrals, and the healthy share', async () => {
  const withCode = new Set(codes.map((row) => row.user_id));
  const without = profiles.filter((row) => !withCode.has(row.user_id)).length;
  const failed = referrals.length - completed().length;
  expect([without, failed].every((count) => count > 0)).toBe(true);
  expect(await unwrap(admin.client.rpc('get_referral_system_health'))).toEqual([
    {
      health_score: Math.floor(100 * (1 - (without + failed) / (profiles.length + referrals.length))),
      users_without_codes: without,
      failed_referrals: failed,
    },
  ]);
});

test.each([
  [0, 100],
  [1, 0],
])('ADMIN-10 referral health with %i members, all without a code, is %i', (members, score) =>
  rolledBack(async (client) => {
    await client.query('delete from private.counter_deltas');
    await client.query("insert into private.counter_deltas (name, change) values ('members', $1)", [members]);
    await actAs(client, admin);
    const { rows } = await client.query('select health_score from public.get_referral_system_health()');
    expect(rows).toEqual([{ health_score: score }]);
  }),
);
