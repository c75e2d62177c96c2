import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { ConnectionPool, type Outcome, tally } from './support/connection-pool.ts';
import {
  ledgerProblems,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  projectPoints,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { trackPerson } from './support/ledger.ts';
import { setUpDatabase } from './support/set-up-database.ts';

// 64 connections, each with its own member. The long run repeats every race.
const SIZE = 64;
const ROUNDS = process.env.QUESTBOARD_FULL ? 20 : 1;

let pool: ConnectionPool;

setUpDatabase();
beforeAll(async () => {
  pool = await ConnectionPool.open(SIZE);
});
afterAll(() => pool.leave());

/** Members as far as the database needs them: a profile, but no token. */
async function people(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `user_crowd_${randomUUID()}`);
  await sql().query(
    "insert into public.user_profiles (user_id, username, email) select u, 'pool', u || '@example.com' from unnest($1::text[]) u",
    [ids],
  );
  ids.forEach(trackPerson);
  return ids;
}

const race = (name: string, run: () => Promise<void>) =>
  test(name, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await run();
    expect(await ledgerProblems()).toEqual([]);
  }, 600_000);

const submit = (user: string | undefined, taskId: string): [string, string, unknown[]] => [
  user ?? '',
  "public.submit_proof($1, null, 'done', null)",
  [taskId],
];

describe('64 concurrent connections', () => {
  race('TRUST-04 the last slots: as many winners as slots', async () => {
    const owner = await newOwner();
    const { taskId, campaign } = await newQuest(owner, { task: { max_completions: 3 } });
    const users = await people(SIZE);
    expect(tally(await pool.together(SIZE, (i) => submit(users[i], taskId)))).toEqual({ ok: 3, QUEST_FULL: SIZE - 3 });
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 470, reserved: 0 });
  });

  race('TRUST-02 one member, the same proof: one submission, one payment', async () => {
    const { taskId } = await newQuest(await newOwner());
    const [user = ''] = await people(1);
    expect(tally(await pool.together(SIZE, () => submit(user, taskId)))).toEqual({
      ok: 1,
      ALREADY_SUBMITTED: SIZE - 1,
    });
    expect(await walletOf(user)).toEqual({ points: 10, lifetime: 10 });
  });

  race(
    'TRUST-02 RULE-07 one submission, approved and rejected by owner and admin: one decision, at most one payment',
    () =>
      withSettings({ beta_mode: false }, async () => {
        const [owner, admin] = [await newVerifiedOwner(), await newMember('admin')];
        await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [admin.id]);
        const { taskId } = await newQuest(owner);
        const member = await newMember();
        const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
        const outcomes = await pool.together(SIZE, (i) => [
          i % 2 ? owner.id : admin.id,
          'public.review_submission($1, $2, $3)',
          [id, i % 4 < 2 ? 'approve' : 'reject', 'reason'],
        ]);
        expect(tally(outcomes)).toEqual({ ok: 1, ALREADY_REVIEWED: SIZE - 1 });
        const paid =
          (await unwrap(member.client.from('submissions').select('status').single())).status === 'approved' ? 10 : 0;
        expect((await walletOf(member.id)).points).toBe(paid);
      }),
  );

  race(
    'TRUST-02 BEY-01 batches in every order and single decisions about the same proofs: each is paid once, without a deadlock',
    () =>
      withSettings({ beta_mode: false, trial_quest_limit: 2 }, async () => {
        const [owner, admin] = [await newVerifiedOwner(), await newMember('admin')];
        await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [admin.id]);
        const members = await people(8);
        const ids: string[] = [];
        for (const { taskId } of [
          await newQuest(owner, { task: { max_completions: 8 } }),
          await newQuest(owner, { task: { max_completions: 8 } }),
        ])
          for (const outcome of await pool.together(8, (i) => submit(members[i], taskId)))
            ids.push((outcome as { value: { submit_proof: { id: string } } }).value.submit_proof.id);
        const outcomes = await pool.together(SIZE, (i) => {
          const who = i % 2 ? owner.id : admin.id;
          if (i % 4 === 0) return [who, 'public.review_submission($1, $2, $3)', [ids[i % 16], 'approve', 'Fine']];
          const turned = ids.toSorted((a, b) => (i % 3 ? 1 : -1) * (a < b ? -1 : 1));
          return [
            who,
            'public.review_submissions($1, $2, $3)',
            [[...turned.slice(i % 16), ...turned.slice(0, i % 16)], 'approve', 'Fine'],
          ];
        });
        const codes = Object.keys(tally(outcomes)).filter((code) => code !== 'ok');
        expect(codes.filter((code) => code !== 'ALREADY_REVIEWED')).toEqual([]);
        const { rows } = await sql().query(
          'select count(*)::integer as wallets, min(points)::integer as least, max(points)::integer as most from public.wallets where user_id = any ($1)',
          [members],
        );
        expect(rows).toEqual([{ wallets: 8, least: 20, most: 20 }]);
      }),
  );

  race('TRUST-02 TRUST-10 one redemption key: one redemption, and the stock goes down by one', async () => {
    const [user = ''] = await people(1);
    await unwrap(asService().rpc('credit_points_safe', { p_user_id: user, p_points: 1000, p_description: 'Grant' }));
    const reward = await newReward(10, 40);
    const key = randomUUID();
    const outcomes = await pool.together(SIZE, () => [user, 'public.redeem_reward_safe($1, $2)', [reward, key]]);
    expect(tally(outcomes)).toEqual({ ok: SIZE });
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await walletOf(user)).toEqual({ points: 960, lifetime: 1000 });
    expect(await stockOf(reward)).toBe(9);
  });

  race(
    'TRUST-05 RULE-16 the last items of a reward: as many winners as items, everybody else keeps the points',
    async () => {
      const users = await people(SIZE);
      const reward = await newReward(5, 40);
      for (const user of users) {
        await sql().query("select public.credit_points_safe($1, 40, 'Grant')", [user]);
      }
      const outcomes = await pool.together(SIZE, (i) => [
        users[i] ?? '',
        'public.redeem_reward_safe($1, $2)',
        [reward, randomUUID()],
      ]);
      expect(tally(outcomes)).toEqual({ ok: 5, OUT_OF_STOCK: SIZE - 5 });
      expect(await stockOf(reward)).toBe(0);
      const { rows } = await sql().query(
        'select sum(points)::integer as left from public.wallets where user_id = any ($1)',
        [users],
      );
      expect(rows).toEqual([{ left: (SIZE - 5) * 40 }]);
    },
  );

  race('TRUST-02 TRUST-09 one new member, the same referral: both sides are paid once', async () => {
    const referrer = await newMember();
    const code = (await unwrap(referrer.client.from('referral_codes').select('code').single())).code;
    const [user = ''] = await people(1);
    const outcomes = await pool.together(SIZE, () => [user, 'public.process_referral_signup($1, $2)', [user, code]]);
    expect(tally(outcomes)).toEqual({ ok: 1, ALREADY_REFERRED: SIZE - 1 });
    expect([await walletOf(referrer.id), await walletOf(user)]).toEqual([
      { points: 500, lifetime: 500 },
      { points: 250, lifetime: 250 },
    ]);
  });

  race('SPROF-01 one owner creates a project many times: one project, and no deadlock', async () => {
    const [user = ''] = await people(1);
    await sql().query("update public.user_profiles set role = 'startup_unverified' where user_id = $1", [user]);
    const create = "public.create_startup_profile($1, null, null, null, 'SaaS')";
    const outcomes = await pool.together(SIZE, () => [user, create, [`Project of ${user}`]]);
    expect(tally(outcomes)).toEqual({ ok: 1, STARTUP_EXISTS: SIZE - 1 });
  });

  race('TRUST-09 64 new members with one code: each is paid once, and the code counts them all', async () => {
    const referrer = await newMember();
    const code = (await unwrap(referrer.client.from('referral_codes').select('code').single())).code;
    const users = await people(SIZE);
    const outcomes = await withSettings({ paid_referrals_per_day: SIZE }, () =>
      pool.together(SIZE, (i) => [users[i] ?? '', 'public.process_referral_signup($1, $2)', [users[i], code]]),
    );
    expect(tally(outcomes)).toEqual({ ok: SIZE });
    expect((await walletOf(referrer.id)).points).toBe(SIZE * 500);
    const stats = await unwrap(
      referrer.client.from('referral_codes').select('successful_referrals, total_rewards_earned').single(),
    );
    expect(stats).toEqual({ successful_referrals: SIZE, total_rewards_earned: SIZE * 500 });
  });

  race("RULE-11 one member's rate limit is exact: six of 64 different tasks", async () => {
    const owner = await newOwner();
    const { campaign } = await newQuest(owner, { task: { reward_points: 1, max_completions: 1 } });
    // The tasks are inserted directly: a trial quest could not pay for 64.
    const { rows } = await sql().query<{ id: string }>(
      `insert into public.tasks (campaign_id, title, type, instructions_md, reward_points, max_completions)
       select $1, 'T', 'visit', 'I', 0, 5 from generate_series(1, $2::integer) returning id`,
      [campaign.id, SIZE],
    );
    await sql().query('select private.recount_tasks($1)', [campaign.id]);
    const [user] = await people(1);
    const outcomes = await pool.together(SIZE, (i) => submit(user, rows[i]?.id ?? ''));
    expect(tally(outcomes)).toEqual({ ok: 6, RATE_LIMITED: SIZE - 6 });
  });

  race('C-21 SUBS-02 OG slots: of more payments than slots, only as many activate as there are slots', async () => {
    const owners = await people(SIZE);
    const startups = await sql().query<{ id: string; owner: string }>(
      `insert into public.startup_profiles (owner_user_id, name, industry, status) select u, 'Load test', 'SaaS', 'verified' from unnest($1::text[]) u
       returning id, owner_user_id as owner`,
      [owners],
    );
    const { rows } = await sql().query<{ taken: number }>(
      "select count(*)::integer as taken from public.subscriptions where status = 'active'",
    );
    await withSettings({ og_slots: (rows[0]?.taken ?? 0) + 10 }, async () => {
      const outcomes = await pool.together(SIZE, (i) => [
        null,
        "public.activate_subscription($1, 'og_lifetime', $2, $3, 9900)",
        [startups.rows[i]?.id, `evt_${randomUUID()}`, `pay_${randomUUID()}`],
      ]);
      expect(tally(outcomes)).toEqual({ ok: SIZE });
      expect(outcomes.filter(isActivated)).toHaveLength(10);
      // The displayed number agrees, and another checkout is refused.
      expect(await unwrap(asService().rpc('get_og_slots'))).toMatchObject([{ remaining_slots: 0 }]);
    });
    await sql().query("update public.subscriptions set status = 'refunded' where owner_user_id = any ($1)", [owners]);
  });

  race(
    'C-21 C-103 the hundredth and the hundred-and-first checkout at once: both pages open, one slot is held, and only its payment counts',
    async () => {
      const owners = await people(2);
      const { rows } = await sql().query<{ id: string }>(
        "insert into public.startup_profiles (owner_user_id, name, industry, status) select u, 'Load test', 'SaaS', 'verified' from unnest($1::text[]) u returning id",
        [owners],
      );
      await sql().query('delete from private.checkout_holds');
      const taken = await sql().query<{ taken: number }>(
        "select count(*)::integer as taken from public.subscriptions where status = 'active'",
      );
      await withSettings({ og_slots: (taken.rows[0]?.taken ?? 0) + 1 }, async () => {
        const outcomes = await pool.together(2, (i) => [
          null,
          "public.reserve_checkout_slot($1, $2, 'og_lifetime')",
          [owners[i], rows[i]?.id],
        ]);
        expect(tally(outcomes)).toEqual({ ok: 2 });
        const { rows: holds } = await sql().query<{ owner: string }>(
          'select owner_user_id as owner from private.checkout_holds',
        );
        expect(holds).toHaveLength(1);
        const payments = await pool.together(2, (i) => [
          null,
          "public.activate_subscription($1, 'og_lifetime', $2, $3, 9900)",
          [rows[i]?.id, `evt_${randomUUID()}`, `pay_${randomUUID()}`],
        ]);
        expect(payments.map(isActivated)).toEqual(owners.map((owner) => owner === holds[0]?.owner));
      });
      await sql().query("update public.subscriptions set status = 'refunded' where owner_user_id = any ($1)", [owners]);
      await sql().query('delete from private.checkout_holds');
    },
  );
});

const isActivated = (outcome: Outcome): boolean =>
  outcome.ok && JSON.stringify(outcome.value).includes('"activated":true');

async function newReward(stock: number, cost: number): Promise<string> {
  const admin = await newAdmin();
  const reward = { title: 'Load test', points_cost: cost, stock_quantity: stock };
  return (await unwrap(admin.client.rpc('save_reward', { p_reward: reward }))).id;
}

const stockOf = async (id: string) =>
  (await sql().query('select stock_quantity from public.rewards where id = $1', [id])).rows[0]?.stock_quantity;
