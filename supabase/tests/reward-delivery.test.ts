import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
  newCheckedOwner,
  newMember,
  newQuest,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { flag } from './support/holds.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const address = { name: 'Robin Reed', street: '1 Lantern Street', city: 'Brookhaven', country: 'IE' };

async function newReward(admin: Member, values: Record<string, Json> = {}): Promise<string> {
  const reward = { title: 'Voucher', points_cost: 40, ...values };
  return (await unwrap(admin.client.rpc('save_reward', { p_reward: reward }))).id;
}

async function newCodeReward(admin: Member, codes: string[]): Promise<string> {
  const id = await newReward(admin, { delivery: 'code' });
  if (codes.length > 0) await unwrap(addCodes(admin, id, codes));
  return id;
}

const addCodes = (who: Member, id: string, codes: string[]) =>
  who.client.rpc('add_reward_codes', { p_reward_id: id, p_codes: codes });

async function memberWith(points: number): Promise<Member> {
  const member = await newMember();
  const grant = { p_user_id: member.id, p_points: points, p_description: 'Grant' };
  await unwrap(asService().rpc('credit_points_safe', grant));
  return member;
}

const redeem = (who: Member, rewardId: string, p_address?: Json) =>
  who.client.rpc('redeem_reward_safe', {
    p_reward_id: rewardId,
    p_idempotency_key: randomUUID(),
    ...(p_address !== undefined && { p_address }),
  });
const codeOf = (who: Member, id: string) => who.client.rpc('get_redemption_code', { p_redemption_id: id });
const decide = (who: Member, id: string, status: string) =>
  who.client.rpc('set_redemption_status', { p_redemption_id: id, p_status: status });
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

/** A member whose points all come from flagged submissions. */
async function flaggedMember(): Promise<Member> {
  const [member, owner] = [await newMember(), await newCheckedOwner()];
  const quest = await newQuest(owner, { task: { reward_points: 100, max_completions: 1 } });
  const proof = await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: randomUUID() }));
  await flag(proof.id);
  return member;
}

describe('code rewards', () => {
  test('C-93 BEY-16 a code is delivered at once to its owner, who can read it again later; the stock follows', async () => {
    const admin = await newAdmin();
    const [reward, member] = [await newCodeReward(admin, ['FIRST-1', 'SECOND-2']), await memberWith(100)];
    expect(await stockOf(reward)).toBe(2);
    const redemption = await unwrap(redeem(member, reward));
    expect(redemption).toMatchObject({ status: 'fulfilled', delivery: 'code', handled_by: 'auto' });
    expect(redemption.fulfilled_at).not.toBeNull();
    expect(await unwrap(codeOf(member, redemption.id))).toBe('FIRST-1');
    expect(await unwrap(codeOf(member, redemption.id))).toBe('FIRST-1');
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([1, 1]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-93 nobody else reads a code: not another member, an admin, a visitor or a suspended owner', async () => {
    const admin = await newAdmin();
    const [reward, member, other] = [await newCodeReward(admin, ['A']), await memberWith(40), await newMember()];
    const { id } = await unwrap(redeem(member, reward));
    const missing = { status: 404, code: 'CODE_NOT_FOUND', message: 'There is no code here' };
    for (const who of [other, admin]) {
      expect(await changesNothing(() => refusal(codeOf(who, id)))).toEqual(missing);
      expect(await changesNothing(() => refusal(codeOf(who, randomUUID())))).toEqual(missing);
    }
    expect(await refusal(asAnon().rpc('get_redemption_code', { p_redemption_id: id }))).toMatchObject({ status: 401 });
    await suspend(member);
    expect(await refusal(codeOf(member, id))).toEqual(SUSPENDED);
  });

  test('C-93 codes are stored encrypted: no table, event or log contains one, and the key is stored elsewhere', async () => {
    const admin = await newAdmin();
    const code = `PLAIN${randomUUID()}`;
    const [reward, member] = [await newCodeReward(admin, [code]), await memberWith(40)];
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
    const members = await Promise.all(Array.from({ length: 30 }, () => memberWith(40)));
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
    const [admin, member] = [await newAdmin(), await memberWith(500)];
    const reward = await newCodeReward(admin, ['A', 'B', 'C']);
    const call = { p_reward_id: reward, p_idempotency_key: randomUUID() };
    await Promise.all(Array.from({ length: 20 }, () => unwrap(member.client.rpc('redeem_reward_safe', call))));
    expect([await stockOf(reward), await freeCodes(reward), (await walletOf(member.id)).points]).toEqual([2, 2, 460]);
  });

  test('C-93 TRUST-10 a refund returns the code only if it was never shown, and pays back once', async () => {
    const [admin, member] = [await newAdmin(), await memberWith(80)];
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

  test('C-93 TRUST-02 concurrent showing and refunding: a code that was shown never returns to the stock', async () => {
    const [admin, member] = [await newAdmin(), await memberWith(400)];
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
      message: 'We are looking at this redemption. Your code appears here after that.',
    });
    await unwrap(decide(admin, first.id, 'fulfilled'));
    expect(await unwrap(codeOf(member, first.id))).toBe('LATER');
    await unwrap(decide(admin, second.id, 'cancelled'));
    expect([await stockOf(reward), await freeCodes(reward)]).toEqual([1, 1]);
  });

  test('C-93 adding codes stores each once, reports what it stored, and updates the stock, also during redemptions', async () => {
    const [admin, member] = [await newAdmin(), await memberWith(400)];
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
    expect(await unwrap(save({ stock_quantity: 99 }))).toMatchObject({ delivery: 'code', stock_quantity: 2 });
    expect(await changesNothing(() => refusal(save({ delivery: 'post' })))).toEqual({
      status: 409,
      code: 'REWARD_HAS_CODES',
      message: 'This reward still has codes. Remove them first.',
    });
    await unwrap(admin.client.rpc('remove_reward_codes', { p_reward_id: reward }));
    expect(await unwrap(save({ delivery: 'post' }))).toMatchObject({ delivery: 'post', stock_quantity: null });
    expect(await unwrap(save({ delivery: 'code' }))).toMatchObject({ delivery: 'code', stock_quantity: 0 });
  });

  test('C-93 invalid codes, too many codes, codes for no reward or from others are refused', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const [reward, post] = [await newCodeReward(admin, []), await newReward(admin, { delivery: 'post' })];
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

describe('posted rewards', () => {
  const addressOf = async (admin: Member, member: Member) =>
    (await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: member.email })))[0]?.address;

  test('C-93 need a full address, which only admins read and which is stored nowhere else', async () => {
    const [admin, member, other] = [await newAdmin(), await memberWith(100), await newMember()];
    const reward = await newReward(admin, { delivery: 'post', stock_quantity: 5 });
    const required = {
      status: 400,
      code: 'ADDRESS_REQUIRED',
      message: 'Please enter a name and a full postal address',
    };
    await changesNothing(async () => {
      for (const wrong of [
        undefined,
        null,
        'x',
        [],
        {},
        { ...address, name: ' ' },
        { ...address, street: '' },
        { ...address, city: null },
        { ...address, country: 'Ireland' },
      ]) {
        expect(await refusal(redeem(member, reward, wrong as Json))).toEqual(required);
      }
      expect(await refusal(redeem(member, reward, { ...address, name: 'a\u202eb' }))).toMatchObject({
        code: 'HIDDEN_CHARACTERS',
      });
      expect(await refusal(redeem(member, reward, { ...address, street: 'x'.repeat(201) }))).toMatchObject({
        code: 'TEXT_TOO_LONG',
      });
    });
    const street = `street-${randomUUID()}`;
    const redemption = await unwrap(
      redeem(member, reward, { ...address, street, postal_code: ' D01 ', country: 'ie' }),
    );
    expect(redemption).toMatchObject({ status: 'pending', delivery: 'post' });
    expect(JSON.stringify(redemption)).not.toContain(street);
    expect(await addressOf(admin, member)).toEqual({ ...address, street, extra: '', postal_code: 'D01', region: '' });
    expect(await refusal(other.client.rpc('admin_list_redemptions', {}))).toEqual(FORBIDDEN);
    await unwrap(decide(admin, redemption.id, 'fulfilled'));
    const holders = [];
    for (const { name } of (
      await sql().query(
        `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and n.nspname in ('public', 'private')`,
      )
    ).rows) {
      const { rowCount } = await sql().query(`select 1 from ${name} t where t::text like $1`, [`%${street}%`]);
      if (rowCount) holders.push(name);
    }
    expect(holders).toEqual(['private.redemption_addresses']);
    const data = (await unwrap(member.client.rpc('get_own_data'))) as {
      redemptions: { address: { street: string } }[];
    };
    expect(data.redemptions[0]?.address.street).toBe(street);
    expect(JSON.stringify(await unwrap(other.client.rpc('get_own_data')))).not.toContain(street);
  });

  test('C-93 TRUST-21 a repeated call redeems once, to the address of the last one, until the parcel is sent', async () => {
    const [admin, member] = [await newAdmin(), await memberWith(100)];
    const reward = await newReward(admin, { delivery: 'post', stock_quantity: 5 });
    const key = randomUUID();
    const to = (p_address: Json) =>
      unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: reward, p_idempotency_key: key, p_address }));
    const { id } = await to(address);
    expect((await to({ ...address, city: 'Larkfield', extra: 'Flat 2' })).id).toBe(id);
    expect(await addressOf(admin, member)).toMatchObject({ city: 'Larkfield', extra: 'Flat 2' });
    expect((await to({ ...address, city: 'Larkfield' })).id).toBe(id);
    expect(await addressOf(admin, member)).toMatchObject({ city: 'Larkfield', extra: '' });
    await unwrap(decide(admin, id, 'fulfilled'));
    expect(await to({ ...address, city: 'Brookhaven' })).toMatchObject({ id, status: 'fulfilled' });
    expect(await addressOf(admin, member)).toMatchObject({ city: 'Larkfield' });
    expect(await stockOf(reward)).toBe(4);
  });

  test('C-93 an address is not stored for rewards that are not posted', async () => {
    const [admin, member] = [await newAdmin(), await memberWith(100)];
    await unwrap(redeem(member, await newReward(admin, { delivery: 'mail' }), address));
    expect(await addressOf(admin, member)).toBeNull();
  });

  test('C-93 an address is deleted on cancellation, 90 days after fulfilment and with the account', async () => {
    const admin = await newAdmin();
    const reward = await newReward(admin, { delivery: 'post' });
    const people = await Promise.all(Array.from({ length: 4 }, () => memberWith(40)));
    const [cancelled, old, recent, leaving] = people as [Member, Member, Member, Member];
    const made = new Map<Member, string>();
    for (const who of people) made.set(who, (await unwrap(redeem(who, reward, address))).id);
    await unwrap(decide(admin, made.get(cancelled) ?? '', 'cancelled'));
    for (const who of [old, recent]) await unwrap(decide(admin, made.get(who) ?? '', 'fulfilled'));
    const age = 'update public.redemptions set fulfilled_at = now() - $2::interval where id = $1';
    await sql().query(age, [made.get(old), '90 days 1 minute']);
    await sql().query(age, [made.get(recent), '89 days 23 hours']);
    await sql().query("delete from private.write_windows where action = 'remove_expired'");
    await unwrap(asService().rpc('claim_outbox_events', { p_limit: 0 }));
    await unwrap(asService().rpc('anonymise_user', { p_user_id: leaving.id }));
    const { rows } = await sql().query(
      'select redemption_id from private.redemption_addresses where redemption_id = any ($1)',
      [[...made.values()]],
    );
    expect(rows).toEqual([{ redemption_id: made.get(recent) }]);
  });
});

describe('fulfil_redemptions', () => {
  const fulfil = (who: Member, ids: string[], note?: string) =>
    who.client.rpc('fulfil_redemptions', { p_redemption_ids: ids, ...(note && { p_note: note }) });

  test('C-50 C-95 fulfils the unflagged with one note, reports on each, and leaves the flagged alone', async () => {
    const admin = await newAdmin();
    const reward = await newReward(admin);
    const [a, b] = [await memberWith(40), await memberWith(80)];
    const first = await unwrap(redeem(a, reward));
    const second = await unwrap(redeem(b, reward));
    const third = await unwrap(redeem(b, reward));
    const flagged = await unwrap(redeem(await flaggedMember(), reward));
    await unwrap(decide(admin, third.id, 'cancelled'));
    const nobody = randomUUID();
    const outcomes = await unwrap(
      fulfil(admin, [first.id, second.id, third.id, flagged.id, nobody, first.id], 'Sent today'),
    );
    expect(Object.fromEntries(outcomes.map(({ redemption_id, outcome }) => [redemption_id, outcome]))).toEqual({
      [first.id]: 'fulfilled',
      [second.id]: 'fulfilled',
      [third.id]: 'handled',
      [flagged.id]: 'flagged',
      [nobody]: 'not_found',
    });
    expect(outcomes).toHaveLength(5);
    const { rows } = await sql().query(
      'select status, note from public.redemptions where id = any ($1) order by created_at',
      [[first.id, second.id, third.id, flagged.id]],
    );
    expect(rows).toEqual([
      { status: 'fulfilled', note: 'Sent today' },
      { status: 'fulfilled', note: 'Sent today' },
      { status: 'cancelled', note: null },
      { status: 'pending', note: null },
    ]);
    const events = await sql().query(
      "select 1 from public.outbox_events where type = 'RedemptionFulfilled' and user_id = any ($1)",
      [[a.id, b.id]],
    );
    expect(events.rowCount).toBe(2);
  });

  test('TRUST-02 the same batch in ten concurrent calls fulfils each once', async () => {
    const [admin, member] = [await newAdmin(), await memberWith(200)];
    const reward = await newReward(admin);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await unwrap(redeem(member, reward))).id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => unwrap(fulfil(admin, index % 2 ? ids : ids.toReversed()))),
    );
    const fulfilled = answers.flat().filter(({ outcome }) => outcome === 'fulfilled');
    expect(fulfilled.map(({ redemption_id }) => redemption_id).toSorted()).toEqual(ids.toSorted());
  });

  test('refuses members, visitors and overlong batches', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    expect(await refusal(fulfil(member, []))).toEqual(FORBIDDEN);
    expect(await refusal(asAnon().rpc('fulfil_redemptions', { p_redemption_ids: [] }))).toMatchObject({ status: 401 });
    const many = Array.from({ length: 201 }, () => randomUUID());
    expect(await refusal(fulfil(admin, many))).toMatchObject({ code: 'TOO_MANY_IDS' });
    expect(await unwrap(fulfil(admin, []))).toEqual([]);
  });
});

test('TRUST-17 C-93 the queue shows delivery, address, sources and whether a code was seen; it filters by delivery', async () => {
  const [admin, member] = [await newAdmin(), await memberWith(200)];
  const post = await unwrap(redeem(member, await newReward(admin, { delivery: 'post' }), address));
  const code = await unwrap(redeem(member, await newCodeReward(admin, ['A']), undefined));
  const list = async (p_delivery?: string) =>
    (await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: member.email, p_delivery }))).map((row) => ({
      id: row.id,
      sources: row.sources,
      seen: row.is_code_shown,
    }));
  const pending = { id: post.id, sources: [expect.objectContaining({ points: 40, kind: 'adjustment' })], seen: false };
  expect(await list()).toEqual([pending, { id: code.id, sources: null, seen: false }]);
  await unwrap(codeOf(member, code.id));
  expect(await list('code')).toEqual([{ id: code.id, sources: null, seen: true }]);
  expect(await list('post')).toEqual([pending]);
  expect(await refusal(admin.client.rpc('admin_list_redemptions', { p_delivery: 'owl' }))).toMatchObject({
    code: 'INVALID_DELIVERY',
  });
});
