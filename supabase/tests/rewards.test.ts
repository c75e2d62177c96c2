import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  grantPoints,
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newMemberWithPoints,
  newOwner,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { answerDuring } from './support/locks.ts';
import { changesNothing } from './support/raw.ts';
import { referral } from './support/referrals.ts';
import { newReward } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const redeem = (who: Member, rewardId: string, key: string = randomUUID()) =>
  who.client.rpc('redeem_reward_safe', { p_reward_id: rewardId, p_idempotency_key: key });

const stockOf = async (id: string) =>
  (await sql().query('select stock_quantity from public.rewards where id = $1', [id])).rows[0]?.stock_quantity;

// First, because later tests make rewards of their own.
test('BEY-20 no reward of the demo data is worth more than a project pays for its points', async () => {
  const { rows } = await sql().query(
    `select r.title from public.rewards r, public.app_settings s where r.cash_value_cents > r.points_cost * least(
       s.pack_small_cents::numeric / s.pack_small_points, s.pack_medium_cents::numeric / s.pack_medium_points,
       s.pack_large_cents::numeric / s.pack_large_points)`,
  );
  expect(rows).toEqual([]);
});

describe('redeem_reward_safe', () => {
  test('RULE-16 TRUST-10 DB-14 debits, lowers the stock and records a pending redemption with its ledger row', async () => {
    const [reward, member] = [await newReward({ title: 'Sticker', stock_quantity: 3 }), await newMemberWithPoints(100)];
    const other = await newReward({ stock_quantity: 3 });
    const redemption = await unwrap(redeem(member, reward));
    expect(redemption).toMatchObject({
      user_id: member.id,
      reward_id: reward,
      points_cost: 40,
      status: 'pending',
      fulfilled_at: null,
    });
    expect(await walletOf(member.id)).toEqual({ points: 60, lifetime: 100 });
    expect([await stockOf(reward), await stockOf(other)]).toEqual([2, 3]);
    const rows = await unwrap(
      member.client.from('transactions').select('type, points, kind, description').eq('redemption_id', redemption.id),
    );
    expect(rows).toEqual([{ type: 'debit', points: 40, kind: 'redemption', description: 'Redeemed: Sticker' }]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-02 the same key redeems once, also in fifty concurrent calls, and also after the reward has been removed', async () => {
    const [reward, member] = [await newReward({ stock_quantity: 9 }), await newMemberWithPoints(500)];
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => unwrap(redeem(member, reward, key))));
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    expect(await walletOf(member.id)).toEqual({ points: 460, lifetime: 500 });
    expect(await stockOf(reward)).toBe(8);
    await sql().query('update public.rewards set is_active = false where id = $1', [reward]);
    expect((await unwrap(redeem(member, reward, key))).id).toBe(answers[0]?.id);
    // The key finds nothing of another member, and nothing for another reward; no other key finds it.
    expect(await refusal(redeem(member, reward, randomUUID()))).toMatchObject({ code: 'REWARD_NOT_FOUND' });
    expect(await refusal(redeem(await newMember(), reward, key))).toMatchObject({ code: 'REWARD_NOT_FOUND' });
    const other = await newReward({ is_active: false });
    expect(await refusal(redeem(member, other, key))).toMatchObject({ code: 'REWARD_NOT_FOUND' });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('a key that was used for another reward is refused; another member may use the same key', async () => {
    const [first, second] = [await newReward(), await newReward()];
    const [member, other] = [await newMemberWithPoints(100), await newMemberWithPoints(100)];
    const [key, another] = [randomUUID(), randomUUID()];
    await unwrap(redeem(member, first, key));
    expect(await changesNothing(() => refusal(redeem(member, second, key)))).toEqual({
      status: 409,
      code: 'IDEMPOTENCY_KEY_REUSED',
      message: 'This idempotency key was used for another reward',
    });
    expect((await unwrap(redeem(other, first, key))).user_id).toBe(other.id);
    for (const who of [member, other]) expect((await unwrap(redeem(who, first, key))).user_id).toBe(who.id);
    for (const _ of [1, 2]) expect((await unwrap(redeem(member, second, another))).reward_id).toBe(second);
  });

  test('REWARD-09 RULE-10 TRUST-05 a shortfall, an empty stock and a disabled reward are refused with their sentences', async () => {
    const [reward, empty, off] = [
      await newReward(),
      await newReward({ stock_quantity: 0 }),
      await newReward({ is_active: false }),
    ];
    const [poor, rich] = [await newMemberWithPoints(39), await newMemberWithPoints(1000)];
    const notFound = { status: 404, code: 'REWARD_NOT_FOUND', message: 'Reward not found' };
    await changesNothing(async () => {
      expect(await refusal(redeem(poor, reward))).toEqual({
        status: 409,
        code: 'REWARD_TOO_EXPENSIVE',
        message: 'You need 1 more points to redeem this reward.',
      });
      expect(await refusal(redeem(rich, empty))).toEqual({
        status: 409,
        code: 'OUT_OF_STOCK',
        message: 'This reward is currently out of stock.',
      });
      for (const id of [off, randomUUID()]) expect(await refusal(redeem(rich, id))).toEqual(notFound);
      for (const key of ['', ' ']) {
        expect(await refusal(redeem(rich, reward, key))).toEqual({
          status: 400,
          code: 'IDEMPOTENCY_KEY_REQUIRED',
          message: 'An idempotency key is required',
        });
      }
      for (const key of ['x'.repeat(101), 'x'.repeat(2001)]) {
        expect(await refusal(redeem(rich, reward, key))).toEqual({
          status: 400,
          code: 'INVALID_IDEMPOTENCY_KEY',
          message: 'An idempotency key has at most 100 characters',
        });
      }
      expect(
        await refusal(asAnon().rpc('redeem_reward_safe', { p_reward_id: reward, p_idempotency_key: 'k' })),
      ).toMatchObject({ status: 401 });
    });
    await withSettings({ rewards_enabled: false }, async () => {
      expect(await changesNothing(() => refusal(redeem(rich, reward)))).toEqual(notFound);
    });
  });

  test('refusals write points with thousands separators, as the page does', async () => {
    const [member, reward] = [await newMemberWithPoints(1250), await newReward({ points_cost: 2500 })];
    const sentence = async (expected?: number) =>
      (
        await refusal(
          member.client.rpc('redeem_reward_safe', {
            p_reward_id: reward,
            p_idempotency_key: randomUUID(),
            ...(expected !== undefined && { p_expected_cost: expected }),
          }),
        )
      ).message;
    expect(await sentence()).toBe('You need 1,250 more points to redeem this reward.');
    expect(await sentence(10)).toBe('This has changed since you looked: it is now 2,500 points.');
    const { referrer } = await withSettings({ referrer_points: 1200 }, referral);
    await grantPoints(referrer, 50);
    const dear = await newReward({ points_cost: 1100 });
    expect((await refusal(redeem(referrer, dear))).message).toBe(
      'You have 1,250 points, but 1,200 of them are held and cannot be redeemed yet.',
    );
  });

  test('suspended members redeem nothing', async () => {
    const [reward, member] = [await newReward(), await suspend(await newMemberWithPoints(100))];
    expect(await changesNothing(() => refusal(redeem(member, reward)))).toEqual(SUSPENDED);
  });

  test('nothing is taken from the stock of a reward that is made unlimited while it is redeemed', async () => {
    const [reward, member] = [await newReward({ stock_quantity: 3 }), await newMemberWithPoints(100)];
    const answer = await answerDuring(
      (client) => client.query('update public.rewards set stock_quantity = null where id = $1', [reward]),
      () => redeem(member, reward),
    );
    expect(answer.data).toMatchObject({ is_from_stock: false });
    expect(await stockOf(reward)).toBeNull();
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-05 twenty concurrent redemptions with different keys spend only what the balance covers', async () => {
    const [reward, member] = [await newReward(), await newMemberWithPoints(100)];
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(member, reward)));
    expect(answers.filter((answer) => !answer.error)).toHaveLength(2);
    expect(await walletOf(member.id)).toEqual({ points: 20, lifetime: 100 });
    expect(await ledgerProblems()).toEqual([]);
  });
});

describe('set_redemption_status', () => {
  const handle = (who: Member, id: string, status: string, note?: string) =>
    who.client.rpc('set_redemption_status', { p_redemption_id: id, p_status: status, ...(note && { p_note: note }) });

  test('a cancellation returns only a unit that was taken, whatever has become of the stock since', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(100)];
    const redeemedFrom = async (stock_quantity: number | null) => {
      const id = await newReward({ stock_quantity });
      return { id, redemption: (await unwrap(redeem(member, id))).id };
    };
    const [limited, unlimited] = [await redeemedFrom(3), await redeemedFrom(null)];
    await sql().query('update public.rewards set stock_quantity = 2 where id = any ($1)', [[limited.id, unlimited.id]]);
    const announced = await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: member.email }));
    expect(announced.map((row) => [row.id, row.returns_to_stock])).toEqual([
      [limited.redemption, true],
      [unlimited.redemption, false],
    ]);
    for (const { redemption } of [limited, unlimited]) await unwrap(handle(admin, redemption, 'cancelled'));
    expect([await stockOf(limited.id), await stockOf(unlimited.id)]).toEqual([3, 2]);
    expect(await walletOf(member.id)).toMatchObject({ points: 100 });
  });

  test('TRUST-10 C-50 cancelling refunds once and returns the stock, also in twenty concurrent calls', async () => {
    const [reward, member, admin] = [
      await newReward({ stock_quantity: 1 }),
      await newMemberWithPoints(40),
      await newAdmin(),
    ];
    const { id } = await unwrap(redeem(member, reward));
    const other = await newReward({ stock_quantity: 5 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => handle(admin, id, 'cancelled', 'sold out')));
    expect(answers.filter((answer) => !answer.error)).toHaveLength(1);
    for (const { error } of answers.filter((answer) => answer.error)) {
      expect(error).toMatchObject({ hint: 'REDEMPTION_HANDLED', message: 'This redemption has already been handled' });
    }
    expect(await walletOf(member.id)).toEqual({ points: 40, lifetime: 40 });
    expect([await stockOf(reward), await stockOf(other)]).toEqual([1, 5]);
    expect(await unwrap(member.client.from('redemptions').select('status, note, handled_by, cancelled_at'))).toEqual([
      { status: 'cancelled', note: 'sold out', handled_by: 'questboard', cancelled_at: expect.any(String) },
    ]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-50 a redemption is pending until an admin fulfils it, once and finally, with one mail', async () => {
    const [reward, member, admin] = [await newReward(), await newMemberWithPoints(40), await newAdmin()];
    const { id, status } = await unwrap(redeem(member, reward));
    expect(status).toBe('pending');
    const done = await unwrap(handle(admin, id, 'fulfilled'));
    expect(done).toMatchObject({ status: 'fulfilled', cancelled_at: null, handled_by: 'questboard' });
    expect(done.fulfilled_at).not.toBeNull();
    for (const status of ['fulfilled', 'cancelled']) {
      expect(await changesNothing(() => refusal(handle(admin, id, status)))).toMatchObject({
        code: 'REDEMPTION_HANDLED',
      });
    }
    expect(await walletOf(member.id)).toEqual({ points: 0, lifetime: 40 });
    const { rows } = await sql().query('select type from public.outbox_events where user_id = $1 order by id', [
      member.id,
    ]);
    expect(rows).toEqual([{ type: 'RewardRedeemed' }, { type: 'RedemptionFulfilled' }]);
  });

  test('refuses members, owners, visitors, suspended admins and bad input', async () => {
    const [reward, member, owner] = [await newReward(), await newMemberWithPoints(40), await newOwner()];
    const admin = await newAdmin();
    const { id } = await unwrap(redeem(member, reward));
    const retired = await suspend(await newAdmin());
    await changesNothing(async () => {
      for (const who of [member, owner]) expect(await refusal(handle(who, id, 'cancelled'))).toEqual(FORBIDDEN);
      expect(await refusal(handle(retired, id, 'cancelled'))).toEqual(SUSPENDED);
      expect(
        await refusal(asAnon().rpc('set_redemption_status', { p_redemption_id: id, p_status: 'cancelled' })),
      ).toMatchObject({ status: 401 });
      for (const status of ['pending', '', 'x'.repeat(2001), "fulfilled'; --"]) {
        expect(await refusal(handle(admin, id, status))).toEqual({
          status: 400,
          code: 'INVALID_STATUS',
          message: 'Unknown status',
        });
      }
      expect(await refusal(handle(admin, randomUUID(), 'cancelled'))).toEqual({
        status: 404,
        code: 'REDEMPTION_NOT_FOUND',
        message: 'Redemption not found',
      });
    });
  });
});
