import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import { earn, moveTransfers, rollUp } from './support/earnings.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { planted } from './support/planted.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const streakOf = async (who: Member) => (await unwrap(who.client.rpc('get_own_streak')))[0];
const badgesOf = async (who: Member) =>
  (await unwrap(who.client.from('badges').select('badge').order('badge'))).map(({ badge }) => badge);
const drift = async () => await unwrap(asService().rpc('reconcile_ledger'));

describe('the weekly leaderboard', () => {
  const board = async (limit = 100) =>
    (await unwrap(asAnon().rpc('get_leaderboard', { p_limit: limit, p_period: 'week' }))).map((row) =>
      Number(row.total_points),
    );
  const recount = async () =>
    (
      await sql().query<{ points: string }>(
        `select sum(case type when 'credit' then points else -points end) as points from public.transactions
         where user_id is not null and created_at >= date_trunc('week', now() at time zone 'UTC') at time zone 'UTC'
           and (type = 'credit' and kind in ('task_completion', 'referral_bonus', 'welcome_bonus') or type = 'debit' and kind = 'reversal')
         group by user_id having sum(case type when 'credit' then points else -points end) > 0 order by 1 desc, user_id`,
      )
    ).rows.map(({ points }) => Number(points));

  test('C-84 TRUST-11 matches a recount of this ISO week, before and after the roll-up and with both kinds of entries', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => newMember()));
    const [a, b, c, d] = people as [Member, Member, Member, Member];
    await earn(a, 9000, 1);
    const early = [await earn(c, 650, 0), await earn(a, 700, 0)];
    await earn(b, 800, 0, 'Referral bonus');
    await earn(c, 5000, 0, 'A present');
    expect(await board()).toEqual((await recount()).slice(0, 100));
    expect((await board()).slice(0, 2)).toEqual(expect.arrayContaining([800]));
    // Old enough for the roll-up, and still in this week.
    const old = await sql().query<{ id: string }>('select id from public.transfers');
    await moveTransfers(
      old.rows.map(({ id }) => Number(id)).filter((id) => id <= Math.max(...early) && id > 0),
      2,
    );
    await moveTransfers(early, 0);
    await rollUp();
    await earn(d, 750, 0, 'Welcome bonus');
    await earn(a, 100, 0);
    expect(await board()).toEqual((await recount()).slice(0, 100));
    expect(await board(1)).toEqual((await recount()).slice(0, 1));
    expect(await drift()).toEqual([]);
  });

  test('C-84 a reversal counts in the week in which it happens; members with less than a point are not listed', async () => {
    const [owner, member, admin] = [await newVerifiedOwner(), await newMember(), await newAdmin()];
    const { taskId } = await newQuest(owner, { task: { reward_points: 60, max_completions: 1 } });
    const proof = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: randomUUID() }));
    expect(await unwrap(member.client.rpc('get_own_rank', { p_period: 'week' }))).toMatchObject([{ total_points: 60 }]);
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: proof.id, p_note: 'x' }));
    expect(await unwrap(member.client.rpc('get_own_rank', { p_period: 'week' }))).toEqual([]);
    expect((await board()).every((points) => points > 0)).toBe(true);
  });

  test("C-84 REWARD-07 names are masked, ids are returned only for the caller, and the caller's rank is known even outside the list", async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => newMember()));
    const [first, second, third] = people as [Member, Member, Member];
    await earn(first, 90_000, 0);
    await earn(second, 80_000, 0);
    await earn(third, 80_000, 0);
    for (const p_period of ['week', 'all']) {
      const rows = await unwrap(second.client.rpc('get_leaderboard', { p_limit: 3, p_period }));
      const ids = rows.map(({ user_id, is_self }) => [user_id, is_self]);
      expect(ids.filter(([, isSelf]) => isSelf)).toEqual([[second.id, true]]);
      expect(ids.filter(([id]) => id !== null)).toHaveLength(1);
      for (const { display_name, username } of rows) expect([display_name, username].join()).toMatch(/\*\*\*.*\*\*\*/);
      const [own] = await unwrap(second.client.rpc('get_own_rank', { p_period }));
      expect(own).toEqual({ rank: second.id < third.id ? 2 : 3, total_points: 80_000 });
      const [last] = await unwrap(third.client.rpc('get_own_rank', { p_period }));
      expect(last?.rank).toBe(second.id < third.id ? 3 : 2);
    }
    await rollUp();
    const [kept] = await unwrap(second.client.rpc('get_own_rank', { p_period: 'week' }));
    expect(kept?.rank).toBe(second.id < third.id ? 2 : 3);
  });

  test('C-84 a single point has a rank too, after those who have as much and an earlier id', async () => {
    const [one, other] = (await Promise.all([newMember(), newMember()])).sort((a, b) => (a.id < b.id ? -1 : 1));
    const rankOf = async (who: Member | undefined, p_period: string) =>
      (await unwrap((who as Member).client.rpc('get_own_rank', { p_period })))[0]?.rank ?? 0;
    for (const who of [one, other]) await earn(who as Member, 1, 0);
    for (const period of ['week', 'all']) expect(await rankOf(other, period)).toBe((await rankOf(one, period)) + 1);
    await rollUp();
    expect(await rankOf(other, 'week')).toBe((await rankOf(one, 'week')) + 1);
  });

  test('C-84 TRUST-11 the rank among those with as many points is the place on the list, whichever of them is rolled up already', async () => {
    const weekly = { p_period: 'week' };
    for (const isFirstRolledUp of [true, false]) {
      const pair = (await Promise.all([newMember(), newMember()])).sort((a, b) => (a.id < b.id ? -1 : 1));
      const [early, late] = isFirstRolledUp ? pair : [...pair].reverse();
      const points = isFirstRolledUp ? 4321 : 1234;
      await moveTransfers([await earn(early as Member, points, 0)], 0);
      await rollUp();
      await earn(late as Member, points, 0);
      const { rows } = await sql().query('select user_id from private.member_weeks where user_id = any ($1)', [
        pair.map(({ id }) => id),
      ]);
      expect(rows).toEqual([{ user_id: early?.id }]);
      for (const { client } of pair) {
        const listed = await unwrap(client.rpc('get_leaderboard', { p_limit: 100, ...weekly }));
        const [own] = await unwrap(client.rpc('get_own_rank', weekly));
        expect(own?.rank).toBe(listed.find(({ is_self }) => is_self)?.rank);
      }
      const ranks = await Promise.all(
        pair.map(async ({ client }) => (await unwrap(client.rpc('get_own_rank', weekly)))[0]?.rank ?? 0),
      );
      expect(ranks[1]).toBe((ranks[0] ?? 0) + 1);
    }
  });

  test('C-84 the rank of the week counts no points of weeks before, rolled up or not', async () => {
    const member = await newMember();
    const weekly = () => unwrap(member.client.rpc('get_own_rank', { p_period: 'week' }));
    await earn(member, 50, 1);
    expect(await weekly()).toEqual([]);
    await rollUp();
    expect(await weekly()).toEqual([]);
    await earn(member, 5, 0);
    expect(await weekly()).toMatchObject([{ total_points: 5 }]);
  });

  test('C-84 a single point has the first rank where nobody has more; a hundred are listed, and ranks are counted up to ten thousand', async () => {
    const member = await newMember();
    const ranks = (ahead: number) =>
      rolledBack(async (client) => {
        await client.query('set local session_replication_role = replica');
        // Nobody else has points, and nothing is left to be summed.
        await client.query(`
          update public.wallets set leaderboard_points = 0 where leaderboard_points > 0;
          delete from private.member_weeks where true;
          update private.ledger_daily_watermark set last_id = 9223372036854775806 where id`);
        await client.query(
          `with people as (
             select 'ahead-' || n as id, 2 as points from generate_series(1, $2) n union all select $1, 1
           ), weeks as (
             insert into private.member_weeks (user_id, week, points, tasks) select p.id, private.week_of(now()), p.points, 1 from people p
           ), mine as (
             update public.wallets set leaderboard_points = 1 where user_id = $1
           ) insert into public.wallets (kind, owner_user_id, user_id, leaderboard_points)
           select 'user', p.id, p.id, p.points from people p where p.id <> $1`,
          [member.id, ahead],
        );
        await actAs(client, member);
        const { rows } = await client.query(
          `select (public.get_own_rank('all')).rank as all, (public.get_own_rank('week')).rank as week,
             (select count(*) from public.get_leaderboard(100)) || ', ' || (select count(*) from public.get_leaderboard(100, 'week')) as listed`,
        );
        return rows[0];
      });
    expect(await ranks(0)).toEqual({ all: '1', week: '1', listed: '1, 1' });
    expect(await ranks(10_000)).toEqual({ all: '10001', week: '10001', listed: '100, 100' });
    expect(await ranks(10_001)).toEqual({ all: '10001', week: '10001', listed: '100, 100' });
  });

  test('REWARD-05 unknown periods are refused, and the list is empty while the feature is off', async () => {
    const member = await newMember();
    await earn(member, 10, 0);
    const unknown = { status: 400, code: 'INVALID_VIEW', message: 'Unknown view' };
    for (const p_period of ['year', null as never])
      expect(await refusal(asAnon().rpc('get_leaderboard', { p_period }))).toEqual(unknown);
    const shown = await unwrap(asAnon().rpc('get_leaderboard', { p_period: 'week' }));
    expect(new Set(shown.map(({ is_self }) => is_self))).toEqual(new Set([false]));
    expect(await refusal(member.client.rpc('get_own_rank', { p_period: 'year' }))).toEqual(unknown);
    expect(await refusal(asAnon().rpc('get_own_rank', {}))).toMatchObject({ status: 401 });
    await withSettings({ leaderboard_enabled: false }, async () => {
      expect(await unwrap(asAnon().rpc('get_leaderboard', { p_period: 'week' }))).toEqual([]);
      expect(await unwrap(member.client.rpc('get_own_rank', {}))).toEqual([]);
    });
  });
});

describe('BEY-08 a streak', () => {
  const count = async (weeks: string[]) =>
    (
      await sql().query<{ weeks: number; best_weeks: number; has_freeze: boolean }>(
        'select weeks, best_weeks, has_freeze from private.count_streak($1::date[])',
        [weeks],
      )
    ).rows[0];
  /** Mondays by week number. */
  const mondays = (...numbers: number[]) =>
    numbers.map((number) => new Date(Date.UTC(2026, 0, 5 + 7 * number)).toISOString().slice(0, 10));

  test('counts consecutive weeks; one missed week is forgiven, two are not, and four more weeks earn the next freeze', async () => {
    expect(await count(mondays(0))).toEqual({ weeks: 1, best_weeks: 1, has_freeze: true });
    expect(await count(mondays(2, 0, 1))).toEqual({ weeks: 3, best_weeks: 3, has_freeze: true });
    expect(await count(mondays(0, 1, 3))).toEqual({ weeks: 3, best_weeks: 3, has_freeze: false });
    expect(await count(mondays(0, 1, 3, 5))).toEqual({ weeks: 1, best_weeks: 3, has_freeze: true });
    expect(await count(mondays(0, 1, 4))).toEqual({ weeks: 1, best_weeks: 2, has_freeze: true });
    expect(await count(mondays(0, 2, 3, 4))).toMatchObject({ weeks: 4, has_freeze: false });
    expect(await count(mondays(0, 2, 3, 4, 5))).toMatchObject({ weeks: 5, has_freeze: true });
    expect(await count(mondays(0, 2, 3, 4, 5, 7))).toEqual({ weeks: 6, best_weeks: 6, has_freeze: false });
    expect(await count([])).toEqual({ weeks: 0, best_weeks: 0, has_freeze: false });
  });

  test('lasts until its week has passed, is kept by the freeze for one more, and is then broken', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => newMember()));
    const [fresh, alive, frozen, broken, spent] = people as [Member, Member, Member, Member, Member];
    for (const weeksAgo of [1, 0]) await earn(fresh, 5, weeksAgo);
    for (const weeksAgo of [2, 1]) await earn(alive, 5, weeksAgo);
    for (const weeksAgo of [3, 2]) await earn(frozen, 5, weeksAgo);
    for (const weeksAgo of [4, 3]) await earn(broken, 5, weeksAgo);
    // The freeze has forgiven another week already.
    for (const weeksAgo of [4, 2]) await earn(spent, 5, weeksAgo);
    const standing = { weeks: 2, best_weeks: 2, has_freeze: true };
    for (const run of [async () => undefined, rollUp]) {
      await run();
      expect(await streakOf(fresh)).toEqual({ ...standing, is_active_this_week: true, is_freeze_in_use: false });
      expect(await streakOf(alive)).toEqual({ ...standing, is_active_this_week: false, is_freeze_in_use: false });
      // Used up: to miss this week, too, breaks the streak.
      expect(await streakOf(frozen)).toEqual({
        ...standing,
        has_freeze: false,
        is_active_this_week: false,
        is_freeze_in_use: true,
      });
      for (const member of [broken, spent]) {
        expect(await streakOf(member)).toEqual({
          weeks: 0,
          best_weeks: 2,
          has_freeze: false,
          is_active_this_week: false,
          is_freeze_in_use: false,
        });
      }
    }
    expect(await streakOf(await newMember())).toMatchObject({ weeks: 0, best_weeks: 0 });
  });

  test('counts completed tasks only, not bonuses or grants, and pays no points', async () => {
    const member = await newMember();
    await earn(member, 500, 0, 'Referral bonus');
    await earn(member, 500, 0, 'A present');
    expect(await streakOf(member)).toMatchObject({ weeks: 0 });
    for (const weeksAgo of [3, 2, 1, 0]) await earn(member, 5, weeksAgo);
    await rollUp();
    expect(await streakOf(member)).toMatchObject({ weeks: 4 });
    const { rows } = await sql().query(
      'select sum(points)::integer as points from public.transactions where user_id = $1',
      [member.id],
    );
    expect(rows).toEqual([{ points: 1020 }]);
  });

  test('is private: visitors and suspended members read none', async () => {
    expect(await refusal(asAnon().rpc('get_own_streak'))).toMatchObject({ status: 401 });
    const member = await suspend(await newMember());
    expect(await refusal(member.client.rpc('get_own_streak'))).toEqual(SUSPENDED);
  });
});

describe('BEY-08 badges', () => {
  test('come with the tasks and weeks of the ledger, and go with reversals', async () => {
    const [owner, member, admin] = [await newVerifiedOwner(), await newMember(), await newAdmin()];
    const { taskId } = await newQuest(owner, { task: { reward_points: 10, max_completions: 1 } });
    const proof = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: randomUUID() }));
    for (const weeksAgo of [4, 3, 2, 1]) await earn(member, 5, weeksAgo);
    for (let tasks = 0; tasks < 5; tasks += 1) await earn(member, 5, 1);
    const [paid] = (await sql().query('select id from public.transfers where submission_id = $1', [proof.id])).rows;
    await moveTransfers([Number(paid.id)], 1);
    await rollUp();
    expect(await badgesOf(member)).toEqual(['first_task', 'four_weeks', 'ten_tasks']);
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: proof.id, p_note: 'x' }));
    const [back] = (await sql().query("select max(id) as id from public.transfers where kind = 'reversal'")).rows;
    await moveTransfers([Number(back.id)], 1);
    await rollUp();
    expect(await badgesOf(member)).toEqual(['first_task', 'four_weeks']);
    // A reversal takes back one task: one more makes ten again.
    await earn(member, 5, 1);
    await rollUp();
    expect(await badgesOf(member)).toEqual(['first_task', 'four_weeks', 'ten_tasks']);
    expect(await drift()).toEqual([]);
  });

  test('are those of the week in which their number was complete, without what was taken back in the same week', async () => {
    const [owner, member, admin] = [await newVerifiedOwner(), await newMember(), await newAdmin()];
    const { taskId } = await newQuest(owner, { task: { reward_points: 10, max_completions: 1 } });
    const proof = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: randomUUID() }));
    const idOf = async (kind: string) =>
      Number((await sql().query('select max(id) as id from public.transfers where kind = $1', [kind])).rows[0].id);
    await moveTransfers([await idOf('task_completion')], 1);
    for (let tasks = 1; tasks < 10; tasks += 1) await earn(member, 5, 1);
    const weeksAgo = async () => {
      await rollUp();
      const { rows } = await sql().query(
        `select (private.week_of(now()) - week) / 7 as weeks from public.badges where user_id = $1 and badge = 'ten_tasks'`,
        [member.id],
      );
      return rows;
    };
    expect(await weeksAgo()).toEqual([{ weeks: 1 }]);
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: proof.id, p_note: 'x' }));
    await moveTransfers([await idOf('reversal')], 1);
    await moveTransfers([await earn(member, 5, 0)], 0);
    expect(await weeksAgo()).toEqual([{ weeks: 0 }]);
    expect(await drift()).toEqual([]);
  });

  test('come with the task that completes their number, in its week', () =>
    rolledBack(async (client) => {
      const { id } = await newMember();
      const earned = async (tasks: number) => {
        await client.query('delete from private.member_weeks where user_id = $1', [id]);
        await client.query(
          `insert into private.member_weeks (user_id, week, points, tasks)
           values ($1, '2026-01-05', 1, $2 - 1), ($1, '2026-06-01', 1, 1)`,
          [id, tasks],
        );
        const { rows } = await client.query<{ badge: string }>(
          "select badge from private.count_badges(array[$1]) where week = '2026-06-01'",
          [id],
        );
        return rows.map(({ badge }) => badge);
      };
      for (const [tasks, badge] of [
        [10, 'ten_tasks'],
        [50, 'fifty_tasks'],
        [100, 'hundred_tasks'],
      ] as const) {
        expect([await earned(tasks - 1), await earned(tasks), await earned(tasks + 1)]).toEqual([[], [badge], []]);
      }
    }));

  test('come with the fourth and the twelfth week in a row, in that week', () =>
    rolledBack(async (client) => {
      const { id } = await newMember();
      await client.query(
        `insert into private.member_weeks (user_id, week, points, tasks)
         select $1, date '2026-01-05' + 7 * n, 1, 1 from generate_series(0, 13) n`,
        [id],
      );
      const { rows } = await client.query(
        "select badge, week::text from private.count_badges(array[$1]) where badge like '%weeks' order by week",
        [id],
      );
      expect(rows).toEqual([
        { badge: 'four_weeks', week: '2026-01-26' },
        { badge: 'twelve_weeks', week: '2026-03-23' },
      ]);
    }));

  test('TRUST-01 the reconciliation finds a planted badge, a missing one and a wrong week', async () => {
    const member = await newMember();
    await earn(member, 5, 1);
    await rollUp();
    expect(await drift()).toEqual([]);
    const moved = await planted(
      `with weeks as (update private.member_weeks set user_id = 'somebody' where user_id = $1)
       update private.ledger_daily set day = day + 1000 where account = 'user' and kind = 'task_completion'`,
      [member.id],
    );
    const signs = moved.map(({ problem, expected, actual }) => [problem, +expected > 0, +actual > 0].join(' '));
    expect([...new Set(signs)].toSorted()).toEqual(
      ['badge', 'ledger_day', 'member_week'].flatMap((problem) => [`${problem} false true`, `${problem} true false`]),
    );
    await sql().query("insert into public.badges (user_id, badge, week) values ($1, 'hundred_tasks', '2026-01-05')", [
      member.id,
    ]);
    await sql().query("delete from public.badges where user_id = $1 and badge = 'first_task'", [member.id]);
    await sql().query('update private.member_weeks set points = points + 1 where user_id = $1', [member.id]);
    const found = (await drift()).map(({ problem, expected, actual }) => [problem, Number(expected), Number(actual)]);
    expect(found).toEqual([
      ['badge', 1, 0],
      ['badge', 0, 1],
      ['member_week', 5, 6],
    ]);
    await sql().query('delete from public.badges where user_id = $1', [member.id]);
    await sql().query(
      'insert into public.badges (user_id, badge, week) select c.user_id, c.badge, c.week from private.count_badges(array[$1]) c',
      [member.id],
    );
    await sql().query('update private.member_weeks set points = points - 1 where user_id = $1', [member.id]);
  });
});
