import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  FORBIDDEN,
  type Member,
  newAdmin,
  newMember,
  newMemberWithPoints,
  newOwner,
  refusal,
  unwrap,
} from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { changesNothing } from './support/raw.ts';
import { newReward } from './support/rewards.ts';
import { actAs } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const redeem = (who: Member, rewardId: string) =>
  who.client.rpc('redeem_reward_safe', { p_reward_id: rewardId, p_idempotency_key: randomUUID() });

const stockOf = async (id: string) =>
  (await sql().query('select stock_quantity from public.rewards where id = $1', [id])).rows[0]?.stock_quantity;

describe('save_reward and delete_reward', () => {
  const save = (who: Member, reward: Json, id?: string) =>
    who.client.rpc('save_reward', { p_reward: reward, ...(id && { p_reward_id: id }) });
  const remove = (who: Member, id: string) => who.client.rpc('delete_reward', { p_reward_id: id });

  test('SEC-10 C-45 an admin creates, changes and deletes rewards; redeemed ones are kept', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(50)];
    const text = "<b>Mug</b> '; drop table x; --";
    const made = await unwrap(
      save(admin, {
        title: text,
        description: 'For tea',
        points_cost: '25',
        stock_quantity: 2,
        cash_value_cents: 500,
        image_url: '/demo/mug.svg',
      }),
    );
    expect(made).toMatchObject({
      title: text,
      description: 'For tea',
      points_cost: 25,
      stock_quantity: 2,
      is_active: true,
      image_url: '/demo/mug.svg',
    });
    await unwrap(redeem(member, made.id));
    // What was redeemed while the form was open stays redeemed.
    const changed = await unwrap(save(admin, { title: 'Mug', points_cost: 30 }, made.id));
    const kept = { description: 'For tea', is_active: true, image_url: '/demo/mug.svg', cash_value_cents: 500 };
    expect(changed).toMatchObject({ id: made.id, title: 'Mug', points_cost: 30, stock_quantity: 1, ...kept });
    const other = {
      description: 'Large',
      cash_value_cents: 700,
      is_active: false,
      delivery: 'post',
      stock_quantity: 9,
    };
    expect(await unwrap(save(admin, other, made.id))).toMatchObject(other);
    const emptied = await unwrap(save(admin, { stock_quantity: null, image_url: null }, made.id));
    expect(emptied).toMatchObject({ title: 'Mug', points_cost: 30, stock_quantity: null, image_url: null });
    expect(await changesNothing(() => refusal(remove(admin, made.id)))).toEqual({
      status: 409,
      code: 'REWARD_REDEEMED',
      message: 'This reward has been redeemed; deactivate it instead',
    });
    const unused = await newReward();
    expect((await remove(admin, unused)).error).toBeNull();
    const notFound = { status: 404, code: 'REWARD_NOT_FOUND', message: 'Reward not found' };
    expect(await refusal(remove(admin, unused))).toEqual(notFound);
    expect(await refusal(save(admin, { title: 'x', points_cost: 1 }, unused))).toEqual(notFound);
  });

  test('TRUST-05 a reward that is saved while it is being redeemed keeps what the redemption left of its stock', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(40)];
    const reward = await newReward({ stock_quantity: 5 });
    const redeeming = await sql().connect();
    try {
      await redeeming.query('begin');
      await actAs(redeeming, member);
      await redeeming.query('select public.redeem_reward_safe($1, $2)', [reward, randomUUID()]);
      const saved = unwrap(save(admin, { title: 'Mug' }, reward));
      await untilWaiting();
      await redeeming.query('commit');
      expect(await saved).toMatchObject({ title: 'Mug', stock_quantity: 4 });
    } finally {
      await redeeming.query('rollback');
      redeeming.release();
    }
    expect(await stockOf(reward)).toBe(4);
  });

  test('TRUST-05 TRUST-20 replaces only what the admin has seen: not a stock redeemed from since, nor the price of another admin', async () => {
    const [admin, other] = [await newAdmin(), await newAdmin()];
    const reward = await newReward({ stock_quantity: 2, points_cost: 40, description: 'Small' });
    await unwrap(redeem(await newMemberWithPoints(40), reward));
    const refill = (seen: Json) => save(admin, { stock_quantity: 10, replaces: seen }, reward);
    const changed = {
      status: 409,
      code: 'REWARD_CHANGED',
      message: 'This reward has changed since you opened it. Please look at your changes again.',
    };
    expect(await changesNothing(() => refusal(refill({ stock_quantity: 2 })))).toEqual(changed);
    expect(await unwrap(refill({ stock_quantity: 1 }))).toMatchObject({ stock_quantity: 10 });
    // Sent again after a lost answer: it is stored as it is wanted.
    expect(await unwrap(refill({ stock_quantity: 1 }))).toMatchObject({ stock_quantity: 10 });

    await unwrap(save(other, { points_cost: 50, replaces: { points_cost: 40 } }, reward));
    const price = { points_cost: 60, description: 'Large', replaces: { points_cost: 40, description: 'Small' } };
    expect(await changesNothing(() => refusal(save(admin, price, reward)))).toEqual(changed);
    // The other's change is of something else, and the text is compared as it would be stored.
    const text = { description: ' Small ', replaces: { description: 'Seen long ago' } };
    expect(await unwrap(save(admin, text, reward))).toMatchObject({ points_cost: 50, description: 'Small' });
    for (const replaces of [null, 'stock_quantity', [2], { unknown: 1 }])
      expect((await save(admin, { replaces }, reward)).error).toBeNull();
  });

  test('TRUST-21 C-99 creating a reward again with the same key changes nothing and returns the first one', async () => {
    const [admin, other, key] = [await newAdmin(), await newAdmin(), randomUUID()];
    const create = (who: Member, title: string, p_idempotency_key: string) =>
      unwrap(
        who.client.rpc('save_reward', { p_reward: { title, points_cost: 5, stock_quantity: 3 }, p_idempotency_key }),
      );
    const [first, again] = await Promise.all([create(admin, 'Sticker', key), create(admin, 'Sticker', key)]);
    expect(again).toEqual(first);
    await unwrap(redeem(await newMemberWithPoints(100), first.id));
    const stored = await changesNothing(() => create(admin, 'Stickers', key));
    expect(stored).toMatchObject({ id: first.id, title: 'Sticker', stock_quantity: 2 });
    // A key belongs to one admin, and to one reward.
    expect((await create(other, 'Sticker', key)).id).not.toBe(first.id);
    expect((await create(admin, 'Sticker', randomUUID())).id).not.toBe(first.id);

    const find = (who: Member, p_idempotency_key: string) => who.client.rpc('get_reward_by_key', { p_idempotency_key });
    expect(await unwrap(find(admin, key))).toEqual([stored]);
    expect(await unwrap(find(admin, randomUUID()))).toEqual([]);
    expect(await refusal(find(await newMember(), key))).toEqual(FORBIDDEN);
  });

  test('SEC-10 refuses everybody else, and invalid values with their sentences', async () => {
    const [admin, member, owner] = [await newAdmin(), await newMember(), await newOwner()];
    const id = await newReward();
    const cases: [Record<string, Json>, string, string][] = [
      [{ title: '' }, 'REWARD_TITLE_REQUIRED', 'Please enter a reward title'],
      [{ title: 'x'.repeat(2001) }, 'TEXT_TOO_LONG', 'This text is too long'],
      [{ description: 'x'.repeat(2001) }, 'TEXT_TOO_LONG', 'This text is too long'],
      [{ image_url: 'javascript:alert(1)' }, 'INVALID_IMAGE_URL', 'Please enter a valid image URL'],
    ];
    for (const value of [null, 0, -1, 10_000_001, 2 ** 40, 'free', 0.5])
      cases.push([{ points_cost: value }, 'REWARD_COST_RANGE', 'Cost must be between 1 and 10,000,000 points']);
    for (const value of [-1, 'some', 2 ** 40])
      cases.push(
        [{ stock_quantity: value }, 'REWARD_STOCK_RANGE', 'Stock must be empty or a whole number from 0'],
        [{ cash_value_cents: value }, 'REWARD_CASH_RANGE', 'Cash value must be empty or whole cents from 0'],
      );
    await changesNothing(async () => {
      for (const [values, code, message] of cases) {
        const got = await refusal(save(admin, { title: 'T', points_cost: 5, ...values }));
        expect(got, JSON.stringify(values).slice(0, 100)).toEqual({ status: 400, code, message });
      }
      for (const who of [member, owner]) {
        expect(await refusal(save(who, { title: 'T', points_cost: 5 }))).toEqual(FORBIDDEN);
        expect(await refusal(remove(who, id))).toEqual(FORBIDDEN);
      }
      expect(await refusal(asAnon().rpc('save_reward', { p_reward: {} }))).toMatchObject({ status: 401 });
      expect(await refusal(asAnon().rpc('delete_reward', { p_reward_id: id }))).toMatchObject({ status: 401 });
    });
  });
});
