import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  newAdmin,
  newMember,
  newMemberWithPoints,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { changesNothing, rawCall } from './support/raw.ts';
import { addCodes, codeOf, decide, flaggedMember, newCodeReward, newReward, redeem } from './support/rewards.ts';
import { actAs } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const stockOf = async (id: string) =>
  (await sql().query('select stock_quantity from public.rewards where id = $1', [id])).rows[0]?.stock_quantity;
const freeCodes = async (id: string) =>
  Number(
    (
      await sql().query('select count(*) from private.reward_codes where reward_id = $1 and redemption_id is null', [
        id,
      ])
    ).rows[0]?.count,
  );

describe('code rewards', () => {
  test('C-93 BEY-16 a code is delivered at once to its owner, who can read it again later; the stock follows', async () => {
    const admin = await newAdmin();
    const [reward, member] = [await newCodeReward(admin, ['FIRST-1', 'SECOND-2']), await newMemberWithPoints(100)];
    expect(await stockOf(reward)).toBe(2);
    const redemption = await unwrap(redeem(member, reward));
    expect(redemption).toMatchObject({ status: 'fulfilled', delivery: 'code', handled_by: 'auto' });
    expect(redemption.fulfilled_at).not.toBeNull();
    const again = () => refusal(decide(admin, redemption.id, 'fulfilled'));
    expect(await changesNothing(again)).toMatchObject({ code: 'REDEMPTION_HANDLED' });
    expect(await unwrap(codeOf(member, redemption.id))).toBe('FIRST-1');
    expect(await unwrap(codeOf(member, redemption.id))).toBe('FIRST-1');
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([1, 1]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-93 nobody else reads a code: not another member, an admin, a visitor or a suspended owner', async () => {
    const admin = await newAdmin();
    const [reward, member, other] = [
      await newCodeReward(admin, ['A']),
      await newMemberWithPoints(80),
      await newMember(),
    ];
    const { id } = await unwrap(redeem(member, reward));
    const missing = { status: 404, code: 'CODE_NOT_FOUND', message: 'No code for this redemption' };
    for (const who of [other, admin]) {
      expect(await changesNothing(() => refusal(codeOf(who, id)))).toEqual(missing);
      expect(await changesNothing(() => refusal(codeOf(who, randomUUID())))).toEqual(missing);
    }
    expect(await refusal(asAnon().rpc('get_redemption_code', { p_redemption_id: id }))).toMatchObject({ status: 401 });
    // Nor is one promised for what comes in another way.
    const ticket = await unwrap(redeem(member, await newReward()));
    expect(await changesNothing(() => refusal(codeOf(member, ticket.id)))).toEqual(missing);
    await suspend(member);
    expect(await refusal(codeOf(member, id))).toEqual(SUSPENDED);
  });

  test('C-93 codes are stored encrypted: no table, event or log contains one, and the key is stored elsewhere', async () => {
    const admin = await newAdmin();
    const code = `PLAIN${randomUUID()}`;
    const [reward, member] = [await newCodeReward(admin, [code]), await newMemberWithPoints(40)];
    await unwrap(codeOf(member, (await unwrap(redeem(member, reward))).id));
    for (const table of ['private.reward_codes', 'public.outbox_events', 'public.audit_log', 'public.redemptions']) {
      const { rowCount } = await sql().query(`select 1 from ${table} t where t::text ilike $1 or t::text ilike $2`, [
        `%${code}%`,
        `%${Buffer.from(code).toString('hex')}%`,
      ]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
    const { rows } = await sql().query(
      "select encode(value, 'hex') as key from private.secrets where name = 'reward_codes'",
    );
    const holders = await sql().query('select 1 from private.reward_codes t where t::text like $1', [
      `%${rows[0].key}%`,
    ]);
    expect([rows.length, holders.rowCount]).toEqual([1, 0]);
  });

  test('C-93 TRUST-02 TRUST-05 thirty concurrent members for eight codes: eight get one each, the others pay nothing', async () => {
    const admin = await newAdmin();
    const codes = Array.from({ length: 8 }, (_, index) => `CODE-${index}`);
    const reward = await newCodeReward(admin, codes);
    const members = await Promise.all(Array.from({ length: 30 }, () => newMemberWithPoints(40)));
    const answers = await Promise.all(members.map((member) => redeem(member, reward)));
    const given = await Promise.all(
      answers.flatMap(({ data }, index) => {
        const who = members[index];
        return data && who ? [unwrap(codeOf(who, data.id))] : [];
      }),
    );
    expect(given.toSorted()).toEqual(codes);
    for (const { error } of answers) if (error) expect(error).toMatchObject({ hint: 'OUT_OF_STOCK' });
    const left = await Promise.all(members.map(async ({ id }) => (await walletOf(id)).points));
    expect(left.filter((points) => points === 40)).toHaveLength(22);
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([0, 0]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-93 TRUST-21 the same key returns no second code, also in twenty concurrent calls', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(500)];
    const reward = await newCodeReward(admin, ['A', 'B', 'C']);
    const call = { p_reward_id: reward, p_idempotency_key: randomUUID() };
    await Promise.all(Array.from({ length: 20 }, () => unwrap(member.client.rpc('redeem_reward_safe', call))));
    expect([await stockOf(reward), await freeCodes(reward), (await walletOf(member.id)).points]).toEqual([2, 2, 460]);
  });

  test('C-93 TRUST-10 a refund returns the code only if it was never shown, and pays back once', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(80)];
    const reward = await newCodeReward(admin, ['UNSEEN', 'SEEN']);
    const unseen = await unwrap(redeem(member, reward));
    const seen = await unwrap(redeem(member, reward));
    expect(await unwrap(codeOf(member, seen.id))).toBe('SEEN');
    expect(await unwrap(decide(admin, unseen.id, 'cancelled'))).toMatchObject({
      status: 'cancelled',
      fulfilled_at: null,
    });
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([1, 1]);
    await unwrap(decide(admin, seen.id, 'cancelled'));
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([1, 1]);
    for (const { id } of [seen, unseen]) {
      expect(await refusal(decide(admin, id, 'cancelled'))).toMatchObject({ code: 'REDEMPTION_HANDLED' });
      expect(await refusal(codeOf(member, id))).toMatchObject({ code: 'CODE_NOT_FOUND' });
    }
    expect((await walletOf(member.id)).points).toBe(80);
    const again = await unwrap(redeem(member, reward));
    expect(await unwrap(codeOf(member, again.id))).toBe('UNSEEN');
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-93 TRUST-10 a code cannot be read without counting as shown: no cast puts it into an error, which rolls back', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(40)];
    const { id } = await unwrap(redeem(member, await newCodeReward(admin, ['UNSEEN'])));
    for (const query of ['select=pgrst_scalar::int4', 'pgrst_scalar=like.U*']) {
      const answer = await rawCall(member, `get_redemption_code?${query}`, { p_redemption_id: id });
      expect(answer).toMatchObject({ status: 400, hint: 'PLAIN_CALL_REQUIRED' });
      expect(JSON.stringify(answer)).not.toContain('UNSEEN');
    }
    // Their own data have it once it was shown.
    const codesOf = async () => {
      const { redemptions } = (await unwrap(member.client.rpc('get_own_data'))) as { redemptions: { code: string }[] };
      return redemptions.map(({ code }) => code);
    };
    expect(await codesOf()).toEqual([null]);
    expect(await unwrap(codeOf(member, id))).toBe('UNSEEN');
    expect(await codesOf()).toEqual(['UNSEEN']);
  });

  test('C-93 TRUST-02 concurrent showing and refunding: a code that was shown never returns to the stock', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(400)];
    const reward = await newCodeReward(
      admin,
      Array.from({ length: 10 }, (_, index) => `RACE-${index}`),
    );
    const made = [];
    for (let count = 0; count < 10; count += 1) made.push(await unwrap(redeem(member, reward)));
    const shown = await Promise.all(
      made.map(async ({ id }) => (await Promise.all([codeOf(member, id), decide(admin, id, 'cancelled')]))[0].data),
    );
    const seen = shown.filter((code) => code !== null);
    expect(await freeCodes(reward)).toBe(10 - seen.length);
    expect(await stockOf(reward)).toBe(10 - seen.length);
    expect((await walletOf(member.id)).points).toBe(400);
  });

  test('C-95 C-93 with flagged points the code is kept, and shown once an admin has fulfilled the redemption', async () => {
    const [admin, member] = [await newAdmin(), await flaggedMember()];
    const reward = await newCodeReward(admin, ['LATER', 'NEVER']);
    const first = await unwrap(redeem(member, reward));
    const second = await unwrap(redeem(member, reward));
    expect(first.status).toBe('pending');
    expect(await changesNothing(() => refusal(codeOf(member, first.id)))).toEqual({
      status: 409,
      code: 'CODE_NOT_READY',
      message: 'We are reviewing this redemption. Your code will appear afterwards.',
    });
    await unwrap(decide(admin, first.id, 'fulfilled'));
    expect(await unwrap(codeOf(member, first.id))).toBe('LATER');
    await unwrap(decide(admin, second.id, 'cancelled'));
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([1, 1]);
  });

  test('C-93 adding codes stores each once, reports what it stored, and updates the stock, also during redemptions', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(400)];
    const reward = await newCodeReward(admin, ['A']);
    expect(await unwrap(addCodes(admin, reward, ['A', ' B ', 'B', '', 'C']))).toEqual([
      { added: 2, repeated: 3, stock: 3 },
    ]);
    await Promise.all([
      ...Array.from({ length: 5 }, () => redeem(member, reward)),
      ...Array.from({ length: 5 }, (_, index) => unwrap(addCodes(admin, reward, [`more-${index}`]))),
    ]);
    expect(await stockOf(reward)).toBe(await freeCodes(reward));
    const left = await freeCodes(reward);
    expect(await unwrap(admin.client.rpc('remove_reward_codes', { p_reward_id: reward }))).toBe(left);
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([0, 0]);
  });

  test('C-93 the stock of a code reward cannot be set by hand, and a reward with codes cannot change its delivery', async () => {
    const admin = await newAdmin();
    const reward = await newCodeReward(admin, ['A', 'B']);
    const save = (values: Record<string, Json>) =>
      admin.client.rpc('save_reward', {
        p_reward: { title: 'Voucher', points_cost: 40, ...values },
        p_reward_id: reward,
      });
    for (const values of [{ stock_quantity: 99 }, { delivery: null }] as Record<string, Json>[])
      expect(await unwrap(save(values))).toMatchObject({ delivery: 'code', stock_quantity: 2 });
    expect(await changesNothing(() => refusal(save({ delivery: 'post' })))).toEqual({
      status: 409,
      code: 'REWARD_HAS_CODES',
      message: 'This reward still has codes. Remove them first.',
    });
    await unwrap(admin.client.rpc('remove_reward_codes', { p_reward_id: reward }));
    expect(await unwrap(save({ delivery: 'post' }))).toMatchObject({ delivery: 'post', stock_quantity: 0 });
    expect(await unwrap(save({ delivery: 'code' }))).toMatchObject({ delivery: 'code', stock_quantity: 0 });
  });

  test('C-93 TRUST-05 what is done with the codes of one reward leaves those of another alone, and those that are taken', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(40)];
    const other = await newCodeReward(admin, ['OTHER-1', 'OTHER-2']);
    const reward = await newCodeReward(admin, ['FIRST', 'SECOND', 'FIRST']);
    const save = (p_reward: Record<string, Json>) =>
      unwrap(admin.client.rpc('save_reward', { p_reward, p_reward_id: reward }));
    const { id } = await unwrap(redeem(member, reward));
    expect(await unwrap(codeOf(member, id))).toBe('FIRST');
    expect(await save({ title: 'Ticket' })).toMatchObject({ stock_quantity: 1 });
    expect(await unwrap(admin.client.rpc('remove_reward_codes', { p_reward_id: reward }))).toBe(1);
    // The code that a member has keeps nobody from delivering the reward in another way.
    const posted = { delivery: 'post', stock_quantity: 3 };
    expect(await save(posted)).toMatchObject(posted);
    expect([await stockOf(other), await freeCodes(other)]).toEqual([2, 2]);
    expect(await unwrap(codeOf(member, id))).toBe('FIRST');
  });

  test('C-93 TRUST-05 a reward that gets codes while it is redeemed as something else loses none of them', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(40)];
    const reward = await newReward({ stock_quantity: 3 });
    const changing = await sql().connect();
    try {
      await changing.query('begin');
      await actAs(changing, admin);
      await changing.query('select public.save_reward($1, $2)', [{ delivery: 'code' }, reward]);
      await changing.query('select public.add_reward_codes($1, $2)', [reward, ['A', 'B']]);
      const refused = refusal(redeem(member, reward));
      await untilWaiting();
      await changing.query('commit');
      expect(await refused).toMatchObject({ status: 409, code: 'OUT_OF_STOCK' });
    } finally {
      await changing.query('rollback');
      changing.release();
    }
    expect([await stockOf(reward), await freeCodes(reward), (await walletOf(member.id)).points]).toEqual([2, 2, 40]);
    expect(await unwrap(redeem(member, reward))).toMatchObject({ status: 'fulfilled', delivery: 'code' });
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([1, 1]);
  });

  test('C-93 what was redeemed before a reward got codes adds nothing to their stock when it is cancelled', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(40)];
    const reward = await newReward({ stock_quantity: 3 });
    const { id } = await unwrap(redeem(member, reward));
    const changed = { p_reward: { delivery: 'code' }, p_reward_id: reward };
    await unwrap(admin.client.rpc('save_reward', changed));
    await unwrap(addCodes(admin, reward, ['A']));
    // As the admin is told before.
    const announced = await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: id }));
    expect(announced.map((row) => row.returns_to_stock)).toEqual([false]);
    await unwrap(decide(admin, id, 'cancelled'));
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([1, 1]);
  });

  test('what was taken from the stock of a reward that has none any more does not return to it', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(40)];
    const reward = await newReward({ stock_quantity: 3 });
    const { id } = await unwrap(redeem(member, reward));
    await unwrap(admin.client.rpc('save_reward', { p_reward: { stock_quantity: null }, p_reward_id: reward }));
    const announced = await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: id }));
    expect(announced.map((row) => row.returns_to_stock)).toEqual([false]);
    await unwrap(decide(admin, id, 'cancelled'));
    expect(await stockOf(reward)).toBeNull();
  });

  test('C-93 invalid codes, too many codes, codes for no reward or from others are refused', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const [reward, post] = [await newCodeReward(admin, []), await newReward({ delivery: 'post' })];
    const range = { status: 400, code: 'CODES_RANGE', message: 'Please add 1 to 1,000 codes at a time' };
    await changesNothing(async () => {
      expect(await refusal(addCodes(admin, reward, ['', ' ']))).toEqual(range);
      const many = Array.from({ length: 1001 }, (_, index) => `code-${index}`);
      expect(await refusal(addCodes(admin, reward, many))).toEqual(range);
      for (const code of ['x'.repeat(201), 'a\u200bb']) {
        expect(await refusal(addCodes(admin, reward, [code]))).toEqual({
          status: 400,
          code: 'INVALID_CODE',
          message: 'A code has at most 200 visible characters',
        });
      }
      expect(await refusal(addCodes(admin, post, ['A']))).toEqual({
        status: 409,
        code: 'REWARD_WITHOUT_CODES',
        message: 'This reward is not delivered by code',
      });
      expect(await refusal(addCodes(admin, randomUUID(), ['A']))).toMatchObject({ code: 'REWARD_NOT_FOUND' });
      expect(await refusal(addCodes(member, reward, ['A']))).toEqual(FORBIDDEN);
      expect(await refusal(member.client.rpc('remove_reward_codes', { p_reward_id: reward }))).toEqual(FORBIDDEN);
      expect(
        await refusal(admin.client.rpc('save_reward', { p_reward: { title: 'x', points_cost: 1, delivery: 'owl' } })),
      ).toEqual({
        status: 400,
        code: 'INVALID_DELIVERY',
        message: 'Please choose how the reward is delivered',
      });
    });
  });
});
