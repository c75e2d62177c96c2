import { describe, expect, test } from 'vitest';
import { asAnon, asService, asUser, newPersona, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  refusal,
  suspend,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { balanceOf } from './support/holds.ts';
import { eventsOf } from './support/purchases.ts';
import { changesNothing } from './support/raw.ts';
import { claim, codeOf } from './support/referrals.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const INVALID = { status: 400, code: 'INVALID_REFERRAL_CODE', message: 'Invalid referral code' };
const ALREADY = { status: 409, code: 'ALREADY_REFERRED', message: 'User already referred' };
const NOT_NEW = { status: 409, code: 'NOT_A_NEW_ACCOUNT', message: 'Only new accounts can use a referral code' };

describe('referral codes', () => {
  test('DB-18 REF-10 C-48 C-100 a code is REF and eight random characters, one per member', async () => {
    const members = await Promise.all(Array.from({ length: 20 }, () => newMember()));
    const codes = await Promise.all(members.map(codeOf));
    expect(codes.filter((code) => !/^REF[A-HJ-NP-Z2-9]{8}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(20);
    // Every position is random: over twenty codes, none of the eight keeps its character.
    for (let place = 3; place < 11; place += 1) {
      expect(new Set(codes.map((code) => code[place])).size, `place ${place}`).toBeGreaterThan(4);
    }
    expect(await Promise.all(members.map(codeOf))).toEqual(codes);
    const withoutProfile = await asUser(newPersona());
    expect(await changesNothing(() => refusal(withoutProfile.rpc('create_user_referral_code')))).toEqual({
      status: 404,
      code: 'PROFILE_NOT_FOUND',
      message: 'Profile not found',
    });
  });

  test('C-100 a code is drawn from 32 characters that nobody mistakes for each other, all of them equally often', async () => {
    const { rows } = await sql().query<{ letter: string; share: number }>(
      `select letter, (count(*) * 32.0 / sum(count(*)) over ())::float as share
       from (select private.random_referral_code() as code from generate_series(1, 4000)) c,
         string_to_table(substr(c.code, 4), null) letter
       group by letter order by letter collate "C"`,
    );
    expect(rows.map(({ letter }) => letter).join('')).toMatch(/^[2-9]{8}[A-HJ-NP-Z]{24}$/);
    for (const { letter, share } of rows) {
      expect(share, letter).toBeGreaterThan(0.75);
      expect(share, letter).toBeLessThan(1.25);
    }
  });

  test('C-100 C-48 a taken code is drawn again, also concurrently, and existing codes stay unchanged', async () => {
    const old = await newMember();
    await sql().query("update public.referral_codes set code = 'OLDIE123' where user_id = $1", [old.id]);
    const { rows } = await sql().query(
      "select pg_get_functiondef('private.random_referral_code()'::regprocedure) as it",
    );
    // The first three draws are taken, and after that each code is drawn twice. Six concurrent members lose at most eight of ten draws.
    await sql().query(`
      create sequence public.test_draws;
      create or replace function private.random_referral_code() returns text language sql volatile set search_path = ''
      as $$ select case when n < 4 then 'OLDIE123' else 'REFTEST' || n / 2 end from nextval('public.test_draws') n $$`);
    try {
      const members = await Promise.all(Array.from({ length: 6 }, () => newMember('drawn')));
      const codes = await Promise.all(members.map(codeOf));
      expect(new Set(codes).size).toBe(6);
      expect(codes.filter((code) => !code.startsWith('REFTEST'))).toEqual([]);
      await sql().query(`
        create or replace function private.random_referral_code() returns text language sql volatile set search_path = ''
        as $$ select 'OLDIE123' $$`);
      const nobody = await asUser(newPersona('unlucky'));
      expect(await changesNothing(() => refusal(nobody.rpc('sync_current_user', {})))).toEqual({
        status: 500,
        code: 'REFERRAL_CODE_FAILED',
        message: 'Failed to create referral record',
      });
    } finally {
      await sql().query(rows[0].it);
      await sql().query('drop sequence public.test_draws');
    }
    const referred = await newMember();
    expect(await codeOf(old)).toBe('OLDIE123');
    expect(await unwrap(claim(referred, 'oldie123'))).toMatchObject({ referrer_user_id: old.id });
  });

  test('REF-04 C-47 a click counts for anyone, five times a minute; an unknown code counts nothing', async () => {
    const member = await newMember();
    const code = await codeOf(member);
    const click = async (value: string) => (await asAnon().rpc('track_referral_click', { p_code: value })).data;
    const answers = [];
    for (let i = 0; i < 7; i += 1) answers.push(await click(i % 2 ? code.toLowerCase() : ` ${code} `));
    expect(answers).toEqual([true, true, true, true, true, false, false]);
    expect(await click("'; drop table x; --")).toBe(true);
    expect((await unwrap(member.client.from('referral_codes').select('clicks').single())).clicks).toBe(5);
  });

  test("REF-04 another member's visit counts, the owner's own does not", async () => {
    const [member, other] = [await newMember(), await newMember()];
    const code = await codeOf(member);
    for (const { client } of [member, other, member])
      expect(await unwrap(client.rpc('track_referral_click', { p_code: code }))).toBe(true);
    expect((await unwrap(member.client.from('referral_codes').select('clicks').single())).clicks).toBe(1);
  });
});

describe('process_referral_signup', () => {
  test('REF-05 REF-08 REF-09 TRUST-09 pays 500 and 250 once, with the exact descriptions', async () => {
    const [referrer, referred] = [await newMember(), await newMember()];
    const code = await codeOf(referrer);
    const referral = await unwrap(claim(referred, ` ${code.toLowerCase()} `));
    expect(referral).toMatchObject({
      status: 'completed',
      referrer_reward_points: 500,
      referred_reward_points: 250,
      referral_code: code,
    });
    expect(await changesNothing(() => refusal(claim(referred, code)))).toEqual(ALREADY);
    expect([await walletOf(referrer.id), await walletOf(referred.id)]).toEqual([
      { points: 500, lifetime: 500 },
      { points: 250, lifetime: 250 },
    ]);
    const { rows } = await sql().query(
      "select user_id, kind, description from public.transactions where referral_id = $1 and type = 'credit' order by points desc",
      [referral.id],
    );
    expect(rows).toEqual([
      { user_id: referrer.id, kind: 'referral_bonus', description: 'Referral bonus' },
      { user_id: referred.id, kind: 'welcome_bonus', description: 'Welcome bonus' },
    ]);
    const stats = await unwrap(referrer.client.rpc('get_user_referral_stats', { p_user_id: referrer.id }));
    expect(stats).toEqual([
      {
        referral_code: code,
        clicks: 0,
        successful_referrals: 1,
        total_referrals: 1,
        total_points_earned: 500,
        code_active: true,
        held_points: 500,
        can_be_referred: true,
      },
    ]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('REF-08 C-47 refuses unknown, inactive and own codes, codes of suspended members, and mutual referrals', async () => {
    const [referrer, referred, suspended] = [await newMember(), await newMember(), await newMember()];
    const code = await codeOf(referrer);
    const ofSuspended = await codeOf(suspended);
    await suspend(suspended);
    await sql().query('update public.referral_codes set is_active = false where user_id = $1', [referrer.id]);
    await changesNothing(async () => {
      for (const bad of ['', ' ', 'NOPE', 'x'.repeat(2001), "' or 1=1 --", code, ofSuspended, await codeOf(referred)]) {
        expect(await refusal(claim(referred, bad)), bad.slice(0, 20)).toEqual(INVALID);
      }
    });
    await sql().query('update public.referral_codes set is_active = true where user_id = $1', [referrer.id]);
    await unwrap(claim(referred, code));
    expect(await changesNothing(async () => refusal(claim(referrer, await codeOf(referred))))).toEqual(INVALID);
  });

  test('TRUST-09 C-47 only for oneself, only new accounts, only verified addresses, one account per address', async () => {
    const [referrer, other, old, late] = [await newMember(), await newMember(), await newMember(), await newMember()];
    const code = await codeOf(referrer);
    const age = 'update public.user_profiles set created_at = now() - $2::interval where user_id = $1';
    await sql().query(age, [old.id, '25 hours']);
    const unverified = await newMember('unverified', { email_verified: false });
    const twin = await newMember('twin', { email: late.email });
    await changesNothing(async () => {
      expect(await refusal(claim(other, code, late.id))).toEqual(FORBIDDEN);
      expect(await refusal(claim(old, code))).toEqual(NOT_NEW);
      expect(await refusal(claim(twin, code))).toEqual(NOT_NEW);
      expect(await refusal(claim(unverified, code))).toEqual({
        status: 422,
        code: 'EMAIL_NOT_VERIFIED',
        message: 'This email address is not verified',
      });
      expect(
        await refusal(asAnon().rpc('process_referral_signup', { p_user_id: late.id, p_code: code })),
      ).toMatchObject({ status: 401 });
    });
    await sql().query(age, [referrer.id, '24 hours']);
    await sql().query(age, [other.id, '23 hours']);
    expect(await unwrap(claim(other, code))).toMatchObject({ status: 'completed' });
  });

  test("TRUST-15 C-81 a referral of the person's newer account counts against the older one that has its mailbox now", async () => {
    const [referrer, older, newer] = [await newMember(), await newMember('older'), await newMember('newer')];
    const code = await codeOf(referrer);
    await unwrap(claim(newer, code));
    const client = await asUser(older.id, { email: newer.email.replace('@', '+again@'), email_verified: true });
    expect(await changesNothing(() => refusal(claim({ ...older, client }, code)))).toEqual(NOT_NEW);
    expect((await walletOf(referrer.id)).points).toBe(500);
  });

  test('REF-05 the bonuses come from the settings; none is paid when they are zero', () =>
    withSettings({ referrer_points: 7, referred_points: 0 }, async () => {
      const [referrer, referred] = [await newMember(), await newMember()];
      await unwrap(claim(referred, await codeOf(referrer)));
      expect([(await walletOf(referrer.id)).points, (await walletOf(referred.id)).points]).toEqual([7, 0]);
      expect(await eventsOf(referred, 'PointsHeld')).toEqual([]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test.each([
    [0, 0, false],
    [1, 0, true],
    [0, 1, true],
  ])(
    'REF-05 with bonuses of %i and %i a referral counts as rewarded: %s',
    (referrer_points, referred_points, isRewarded) =>
      withSettings({ referrer_points, referred_points }, async () => {
        const [referrer, referred] = [await newMember(), await newMember()];
        const { status, rewarded_at } = await unwrap(claim(referred, await codeOf(referrer)));
        expect([status, rewarded_at !== null]).toEqual(['completed', isRewarded]);
        const held = await Promise.all([referrer, referred].map(async ({ id }) => (await balanceOf(id)).held));
        expect(held).toEqual([referrer_points, referred_points]);
        expect(await eventsOf(referred, 'PointsHeld')).toHaveLength(referred_points);
      }),
  );
});

test('C-81 C-108 a disabled code stays so when its member deletes the account and returns, until an admin enables it', async () => {
  const [admin, referrer, other] = [await newAdmin(), await newMember('referrer'), await newMember('other')];
  await unwrap(admin.client.rpc('set_referral_code_active', { p_code: await codeOf(referrer), p_is_active: false }));
  const codeAfterReturn = async ({ id, email }: Member) => {
    await asService().rpc('anonymise_user', { p_user_id: id }).throwOnError();
    const client = await asUser({ ...newPersona('again'), email });
    await unwrap(client.rpc('sync_current_user', {}));
    return unwrap(client.from('referral_codes').select('code, is_active').single());
  };
  const formerCode = await codeOf(referrer);
  const { code, is_active } = await codeAfterReturn(referrer);
  expect([is_active, (await codeAfterReturn(other)).is_active]).toEqual([false, true]);
  expect(await unwrap(admin.client.rpc('set_referral_code_active', { p_code: code, p_is_active: true }))).toMatchObject(
    {
      is_active: true,
    },
  );
  // That of the deleted account would refer members to nobody.
  const former = { p_code: formerCode, p_is_active: true };
  expect(await refusal(admin.client.rpc('set_referral_code_active', former))).toEqual(INVALID);
  const off = admin.client.rpc('set_referral_code_active', { ...former, p_is_active: false });
  expect(await unwrap(off)).toMatchObject({ code: formerCode, is_active: false });
});

test('C-108 DB-18 an admin disables and enables a code: disabled, it refers nobody and counts no clicks, and its past referrals remain', async () => {
  const [admin, referrer] = [await newAdmin(), await newMember('referrer')];
  await sql().query("update public.user_profiles set created_at = now() - interval '1 day' where user_id = $1", [
    referrer.id,
  ]);
  const code = await codeOf(referrer);
  const set = (who: Member, p_is_active: boolean | null, p_code = code) =>
    who.client.rpc('set_referral_code_active', { p_code, p_is_active: p_is_active as boolean });
  await unwrap(claim(await newMember('first'), code));

  await changesNothing(async () => {
    expect(await refusal(set(referrer, false))).toEqual(FORBIDDEN);
    expect(await refusal(set(admin, false, 'REFNOBODY'))).toEqual(INVALID);
    expect(await refusal(set(admin, null))).toMatchObject({ code: 'INVALID_STATUS' });
  });
  expect(await unwrap(set(admin, false))).toMatchObject({ code, is_active: false, successful_referrals: 1 });
  const late = await newMember('late');
  expect(await refusal(claim(late, code))).toEqual(INVALID);
  await asAnon().rpc('track_referral_click', { p_code: code });
  expect((await unwrap(referrer.client.from('referral_codes').select().single())).clicks).toBe(0);
  expect(await walletOf(referrer.id)).toMatchObject({ points: 500 });

  for (const _ of [1, 2])
    expect(await unwrap(set(admin, true, ` ${code.toLowerCase()} `))).toMatchObject({ is_active: true });
  await unwrap(claim(late, code));
  const log = 'select action, before, after from public.audit_log where subject_id = $1 order by id';
  const [on, off] = [{ is_active: true }, { is_active: false }];
  expect((await sql().query(log, [code])).rows).toEqual([
    { action: 'referral_code.deactivate', before: on, after: off },
    { action: 'referral_code.activate', before: off, after: on },
  ]);
});
