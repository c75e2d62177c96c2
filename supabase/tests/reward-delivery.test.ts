import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  FORBIDDEN,
  type Member,
  newAdmin,
  newMember,
  newMemberWithPoints,
  refusal,
  suspend,
  unwrap,
} from './support/factories.ts';
import { answerAfter } from './support/locks.ts';
import { runPeriodicJobs } from './support/periodic-jobs.ts';
import { changesNothing } from './support/raw.ts';
import { codeOf, decide, flaggedMember, newCodeReward, newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const address = { name: 'Robin Reed', street: '1 Lantern Street', city: 'Brookhaven', country: 'IE' };

test('TRUST-20 a reward that becomes dearer while it is redeemed is not redeemed at its old price', async () => {
  const [admin, member] = [await newAdmin(), await newMemberWithPoints(100)];
  const reward = await newReward({ stock_quantity: 5 });
  const change = { title: 'Voucher', points_cost: 50, stock_quantity: 5 };
  const answer = await answerAfter(admin, 'save_reward($1, $2)', [change, reward], () => redeem(member, reward));
  expect(answer.error).toMatchObject({ hint: 'PRICE_CHANGED' });
  expect((await unwrap(redeem(member, reward))).points_cost).toBe(50);
});

describe('posted rewards', () => {
  const addressOf = async (admin: Member, member: Member) =>
    (await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: member.email })))[0]?.address;

  test('C-93 need a full address, which only admins read and which is stored nowhere else', async () => {
    const [admin, member, other] = [await newAdmin(), await newMemberWithPoints(100), await newMember()];
    const reward = await newReward({ delivery: 'post', stock_quantity: 5 });
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
        { ...address, country: null },
      ]) {
        expect(await refusal(redeem(member, reward, wrong as Json))).toEqual(required);
      }
      expect(await refusal(redeem(member, reward, { ...address, name: 'a\u202eb' }))).toMatchObject({
        code: 'HIDDEN_CHARACTERS',
      });
      // Nobody looks through megabytes for hidden characters, also where no line of an address has them.
      for (const long of [{ street: 'x'.repeat(201) }, { note: 'a\u202eb'.repeat(1000) }]) {
        expect(await refusal(redeem(member, reward, { ...address, ...long }))).toMatchObject({ code: 'TEXT_TOO_LONG' });
      }
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
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(100)];
    const reward = await newReward({ delivery: 'post', stock_quantity: 5 });
    const key = randomUUID();
    const to = (p_address: Json) =>
      unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: reward, p_idempotency_key: key, p_address }));
    const { id } = await to(address);
    const other = {
      name: 'Ada Reed',
      street: '2 High Street',
      extra: 'Flat 2',
      postal_code: 'D02',
      city: 'Larkfield',
      region: 'Leinster',
      country: 'GB',
    };
    expect((await to(other)).id).toBe(id);
    expect(await addressOf(admin, member)).toEqual(other);
    const withoutAddress = { p_reward_id: reward, p_idempotency_key: key };
    expect((await unwrap(member.client.rpc('redeem_reward_safe', withoutAddress))).id).toBe(id);
    expect(await addressOf(admin, member)).toEqual(other);
    expect((await to({ ...address, city: 'Larkfield' })).id).toBe(id);
    expect(await addressOf(admin, member)).toMatchObject({ city: 'Larkfield', extra: '' });
    await unwrap(decide(admin, id, 'fulfilled'));
    expect(await to({ ...address, city: 'Brookhaven' })).toMatchObject({ id, status: 'fulfilled' });
    expect(await addressOf(admin, member)).toMatchObject({ city: 'Larkfield' });
    const { stock_quantity } = await unwrap(
      asService().from('rewards').select('stock_quantity').eq('id', reward).single(),
    );
    expect(stock_quantity).toBe(4);
  });

  test('C-93 an address is not stored for rewards that are not posted', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(100)];
    const call = {
      p_reward_id: await newReward({ delivery: 'mail' }),
      p_idempotency_key: randomUUID(),
      p_address: address,
    };
    // Nor when the first answer was lost.
    for (const _ of [1, 2]) await unwrap(member.client.rpc('redeem_reward_safe', call));
    expect(await addressOf(admin, member)).toBeNull();
  });

  test('C-93 an address is deleted on cancellation, 90 days after fulfilment and with the account', async () => {
    const admin = await newAdmin();
    const reward = await newReward({ delivery: 'post' });
    const people = await Promise.all(Array.from({ length: 4 }, () => newMemberWithPoints(40)));
    const [cancelled, old, recent, leaving] = people as [Member, Member, Member, Member];
    const made = new Map<Member, string>();
    for (const who of people) made.set(who, (await unwrap(redeem(who, reward, address))).id);
    await unwrap(decide(admin, made.get(cancelled) ?? '', 'cancelled'));
    for (const who of [old, recent]) await unwrap(decide(admin, made.get(who) ?? '', 'fulfilled'));
    const age = 'update public.redemptions set fulfilled_at = now() - $2::interval where id = $1';
    await sql().query(age, [made.get(old), '90 days 1 minute']);
    await sql().query(age, [made.get(recent), '89 days 23 hours']);
    await sql().query("delete from private.write_windows where action = 'remove_expired'");
    await runPeriodicJobs();
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

  test('C-50 C-95 TRUST-18 fulfils with one note, reports on each, and leaves those flagged and of suspended members alone', async () => {
    const admin = await newAdmin();
    const reward = await newReward();
    const [a, b] = [await newMemberWithPoints(40), await newMemberWithPoints(80)];
    const first = await unwrap(redeem(a, reward));
    const second = await unwrap(redeem(b, reward));
    const third = await unwrap(redeem(b, reward));
    const flagged = await unwrap(redeem(await flaggedMember(), reward));
    const left = await newMemberWithPoints(40);
    const suspended = await unwrap(redeem(left, reward));
    await suspend(left);
    await unwrap(decide(admin, third.id, 'cancelled'));
    const nobody = randomUUID();
    const outcomes = await unwrap(
      fulfil(admin, [first.id, second.id, third.id, flagged.id, suspended.id, nobody, first.id], 'Sent today'),
    );
    expect(Object.fromEntries(outcomes.map(({ redemption_id, outcome }) => [redemption_id, outcome]))).toEqual({
      [first.id]: 'fulfilled',
      [second.id]: 'fulfilled',
      [third.id]: 'handled',
      [flagged.id]: 'flagged',
      [suspended.id]: 'suspended',
      [nobody]: 'not_found',
    });
    expect(outcomes).toHaveLength(6);
    const { rows } = await sql().query(
      'select status, note from public.redemptions where id = any ($1) order by created_at',
      [[first.id, second.id, third.id, flagged.id, suspended.id]],
    );
    expect(rows).toEqual([
      { status: 'fulfilled', note: 'Sent today' },
      { status: 'fulfilled', note: 'Sent today' },
      { status: 'cancelled', note: null },
      { status: 'pending', note: null },
      { status: 'pending', note: null },
    ]);
    const queue = await unwrap(admin.client.rpc('admin_list_redemptions', { p_status: 'pending' }));
    const ofSuspended = queue.filter(({ is_suspended }) => is_suspended).map(({ id }) => id);
    expect(ofSuspended).toEqual([suspended.id]);
    const events = await sql().query(
      "select payload from public.outbox_events where type = 'RedemptionFulfilled' and user_id = any ($1) order by id",
      [[a.id, b.id]],
    );
    const told = [first, second]
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ id, reward_title }) => ({
        payload: { redemption_id: id, title: reward_title, delivery: 'other', note: 'Sent today' },
      }));
    expect(events.rows).toEqual(told);
  });

  test('TRUST-02 the same batch in ten concurrent calls fulfils each once', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(200)];
    const reward = await newReward();
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
  const [admin, member] = [await newAdmin(), await newMemberWithPoints(200)];
  const codes = await newCodeReward(admin, ['A', 'B']);
  const other = await newMemberWithPoints(40);
  await unwrap(codeOf(other, (await unwrap(redeem(other, codes))).id));
  const post = await unwrap(redeem(member, await newReward({ delivery: 'post' }), address));
  const code = await unwrap(redeem(member, codes));
  const list = async (p_delivery?: string) =>
    (await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: member.email, p_delivery }))).map((row) => ({
      id: row.id,
      sources: row.sources,
      seen: row.is_code_shown,
      returns: row.returns_to_stock,
    }));
  const sources = [expect.objectContaining({ points: 40, kind: 'adjustment' })];
  const pending = { id: post.id, sources, seen: false, returns: false };
  expect(await list()).toEqual([pending, { id: code.id, sources: null, seen: false, returns: true }]);
  await unwrap(codeOf(member, code.id));
  expect(await list('code')).toEqual([{ id: code.id, sources: null, seen: true, returns: false }]);
  expect(await list('post')).toEqual([pending]);
  expect(await refusal(admin.client.rpc('admin_list_redemptions', { p_delivery: 'owl' }))).toMatchObject({
    code: 'INVALID_DELIVERY',
  });
});
