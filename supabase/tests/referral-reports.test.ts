import { describe, expect, test } from 'vitest';
import { asAnon, sql, testEnv } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  type Member,
  newAdmin,
  newMember,
  refusal,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { claim, codeOf } from './support/referrals.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

// The figures themselves are recounted in admin-referral-figures.test.ts.
test('SEC-15 only admins see the referral figures and their health, which reflects a lost code', async () => {
  const [admin, member] = [await newAdmin(), await newMember()];
  for (const name of ['get_admin_referral_stats', 'get_referral_system_health'] as const) {
    expect((await admin.client.rpc(name)).error).toBeNull();
    expect(await refusal(member.client.rpc(name))).toEqual(FORBIDDEN);
  }
  const without = async () => (await unwrap(admin.client.rpc('get_referral_system_health')))[0]?.users_without_codes;
  const before = (await without()) ?? 0;
  await sql().query('delete from public.referral_codes where user_id = $1', [member.id]);
  expect(await without()).toBe(before + 1);
  const none = { referral_code: null, clicks: 0, total_points_earned: 0, code_active: false };
  const stats = member.client.rpc('get_user_referral_stats', { p_user_id: member.id });
  expect(await unwrap(stats)).toMatchObject([none]);
  await unwrap(member.client.rpc('create_user_referral_code'));
  expect(await without()).toBe(before);
});

describe('what people see of referrals', () => {
  const greet = (p_code: string, who = asAnon()) => who.rpc('get_referral_greeting', { p_code });

  test("REF-04 the invited person reads the referrer's masked name and the bonus, and nothing else", async () => {
    const inviter = await newMember();
    await unwrap(
      inviter.client.rpc('update_profile', { p_username: 'robin-the-reed', p_display_name: 'Robin Reedwarbler' }),
    );
    const code = await codeOf(inviter);
    await sql().query('delete from private.rate_limits');
    expect(await unwrap(greet(` ${code.toLowerCase()} `))).toEqual({
      inviter_name: 'Robin***ler',
      referred_points: 250,
    });
    await withSettings({ referred_points: 40 }, async () => {
      expect(await unwrap(greet(code))).toMatchObject({ referred_points: 40 });
    });
  });

  test("C-47 an unknown, disabled or suspended member's code greets nobody, and all give the same answer", async () => {
    const [suspended, off] = [await newMember(), await newMember()];
    const codes = [await codeOf(suspended), await codeOf(off), 'REFNOBODY1', '', 'x'.repeat(3000)];
    await suspend(suspended);
    await sql().query('update public.referral_codes set is_active = false where user_id = $1', [off.id]);
    await sql().query('delete from private.rate_limits');
    for (const code of codes) expect(await unwrap(greet(code))).toEqual({ inviter_name: null, referred_points: 250 });
  });

  test('TRUST-24 one visitor gets twenty greetings a minute; beyond them a valid code answers like an invalid one', async () => {
    const code = await codeOf(await newMember());
    await sql().query('delete from private.rate_limits');
    const names = [];
    for (let count = 0; count < 22; count += 1) names.push((await unwrap(greet(code))).inviter_name);
    expect(names.map((name) => name !== null)).toEqual([...Array.from({ length: 20 }, () => true), false, false]);
    expect(await unwrap(greet('REFNOBODY1'))).toEqual(await unwrap(greet(code)));
  });

  test('TRUST-24 C-47 a greeting is counted however it is asked for, or it says nothing', async () => {
    const code = await codeOf(await newMember());
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const one = { accept: 'application/vnd.pgrst.object+json' };
    const ask = async (p_code: string, query: string, headers: Record<string, string> = {}) => {
      await sql().query('delete from private.rate_limits');
      const response = await fetch(`${SUPABASE_URL}/rest/v1/rpc/get_referral_greeting${query}`, {
        method: 'POST',
        headers: { apikey: SUPABASE_ANON_KEY, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ p_code }),
      });
      const { rowCount } = await sql().query("select 1 from private.rate_limits where action = 'referral_greeting'");
      return { answer: [response.status, await response.text()], isCounted: rowCount === 1 };
    };
    const ways: [query: string, headers?: Record<string, string>][] = [
      [''],
      ['', one],
      ['', { prefer: 'tx=rollback' }],
      ['', { prefer: 'handling=strict, max-affected=0' }],
      ['?offset=1'],
      ['?offset=1', one],
      ['?limit=0', one],
      ['?inviter_name=not.is.null', one],
      ['?select=referred_points,inviter_name::int4'],
    ];
    for (const [query, headers] of ways) {
      const [known, unknown] = [await ask(code, query, headers), await ask('REFNOBODY1', query, headers)];
      const tells = JSON.stringify(known.answer) !== JSON.stringify(unknown.answer);
      expect([query, headers, tells && !(known.isCounted && unknown.isCounted)]).toEqual([query, headers, false]);
    }
    expect((await ask(code, '', one)).isCounted).toBe(true);
  });

  test('REF-07 C-80 members see what each of their own referrals earned and how much of it is held, without names', async () => {
    const [referrer, other] = [await newMember(), await newMember()];
    const code = await codeOf(referrer);
    const [first, second] = [await newMember(), await newMember()];
    await unwrap(claim(first, code));
    await unwrap(claim(second, code));
    await sql().query('update public.point_holds set points = 200 where depends_on = $1 and user_id = $2', [
      second.id,
      referrer.id,
    ]);
    await sql().query('update public.wallets set held_points = held_points - 300 where user_id = $1', [referrer.id]);
    const rows = await unwrap(referrer.client.rpc('list_own_referrals'));
    expect(rows.map(({ status, points, held_points }) => [status, points, held_points])).toEqual([
      ['completed', 500, 200],
      ['completed', 500, 500],
    ]);
    expect(JSON.stringify(rows)).not.toContain(first.id);
    expect(await unwrap(referrer.client.rpc('list_own_referrals', { p_limit: 1 }))).toEqual(rows.slice(0, 1));
    const [stats] = await unwrap(referrer.client.rpc('get_user_referral_stats', { p_user_id: referrer.id }));
    expect(stats?.held_points).toBe(700);
    expect(await unwrap(other.client.rpc('list_own_referrals'))).toEqual([]);
    // The invited member does not see the referrer's side.
    expect(await unwrap(first.client.rpc('list_own_referrals'))).toEqual([]);
    expect(await refusal(asAnon().rpc('list_own_referrals'))).toMatchObject({ status: 401 });
  });

  test('C-47 C-81 a member can be referred who is new, is not referred yet, and has no other account', async () => {
    const [referrer, invited, old] = [await newMember(), await newMember('invited'), await newMember('old')];
    const code = await codeOf(referrer);
    const canBeReferred = async ({ client, id }: Member) =>
      (await unwrap(client.rpc('get_user_referral_stats', { p_user_id: id })))[0]?.can_be_referred;
    await sql().query("update public.user_profiles set created_at = now() - interval '25 hours' where user_id = $1", [
      old.id,
    ]);
    const twin = await newMember('twin', { email: invited.email });
    const people = [referrer, invited, old, twin];
    expect(await Promise.all(people.map(canBeReferred))).toEqual([true, true, false, false]);
    await unwrap(claim(invited, code));
    expect(await Promise.all(people.map(canBeReferred))).toEqual([true, false, false, false]);
  });
});
