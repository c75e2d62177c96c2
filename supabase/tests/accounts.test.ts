import { describe, expect, test } from 'vitest';
import { asAnon, asService, asUser, newPersona, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

describe('sync_current_user', () => {
  test('SEC-01 AUTH-08 DB-12 DB-13 creates profile, empty wallet and referral code from the token, once', async () => {
    const persona = newPersona('fresh');
    const client = await asUser(persona);
    const profile = await unwrap(client.rpc('sync_current_user', {}));
    expect(profile).toMatchObject({
      user_id: persona.id,
      role: 'community',
      email: persona.email,
      username: persona.email.split('@')[0],
      display_name: persona.name,
      og_badge: false,
      verified_socials: {},
    });
    const again = await Promise.all(Array.from({ length: 8 }, () => unwrap(client.rpc('sync_current_user', {}))));
    for (const other of again) expect(other).toEqual(profile);
    const wallets = await unwrap(client.from('wallets').select('kind, points, lifetime_points, cash_cents'));
    expect(wallets).toEqual([{ kind: 'user', points: 0, lifetime_points: 0, cash_cents: 0 }]);
    expect(await unwrap(client.from('referral_codes').select('user_id'))).toEqual([{ user_id: persona.id }]);
  });

  test('AUTH-08 updates the address on the next sign-in, and the name of somebody who had none', async () => {
    const persona = newPersona('moved');
    const sync = async (claims = {}) => unwrap((await asUser(persona, claims)).rpc('sync_current_user', {}));
    expect(await sync({ name: null })).toMatchObject({ email: persona.email, display_name: null });
    const email = `new-${persona.email}`;
    const named = { user_id: persona.id, email, display_name: 'Ada Reed' };
    expect(await sync({ email, name: 'Ada Reed' })).toMatchObject(named);
    expect(await sync({ email, name: 'Ada Lovelace' })).toMatchObject(named);
    const { rows } = await sql().query(
      'select count(*)::integer as profiles from public.user_profiles where user_id = $1',
      [persona.id],
    );
    expect(rows).toEqual([{ profiles: 1 }]);
  });

  test("SEC-02 the role comes from signed metadata or the member's choice, and defaults to community", async () => {
    const role = async (claims: object, selected?: string) => {
      const client = await asUser(newPersona('role'), { ...claims });
      return (await unwrap(client.rpc('sync_current_user', selected ? { p_selected_role: selected } : {}))).role;
    };
    expect(await role({})).toBe('community');
    expect(await role({}, 'startup_unverified')).toBe('startup_unverified');
    expect(await role({}, 'community')).toBe('community');
    expect(await role({ public_metadata: { role: 'admin' } })).toBe('admin');
    expect(await role({ public_metadata: { role: 'admin' } }, 'community')).toBe('admin');
  });

  test('SEC-06 the flag for unverified projects is public, but has no effect on the server: an unverified project still publishes no quest', () =>
    withSettings({ treat_unverified_as_verified: true, beta_mode: false }, async () => {
      const settings = await unwrap(asAnon().from('app_settings').select('treat_unverified_as_verified').single());
      expect(settings).toEqual({ treat_unverified_as_verified: true });
      const owner = await newOwner();
      expect(owner.startup.status).toBe('pending');
      const quest = { title: 'T', instructions_md: 'I', reward_points: 10, max_completions: 1 };
      const create = owner.client.rpc('create_quest', {
        p_startup_id: owner.startup.id,
        p_campaign: { title: 'Q' },
        p_task: quest,
      });
      expect(await refusal(create)).toMatchObject({ status: 403, code: 'STARTUP_NOT_VERIFIED' });
    }));

  test("C-12 SEC-05 the owner's address grants admin only when the provider has verified it", () =>
    withSettings({ owner_email: 'boss@example.com' }, async () => {
      const claims = { email: 'Boss@Example.com', email_verified: false };
      const pretender = newPersona('pretender');
      expect((await unwrap((await asUser(pretender, claims)).rpc('sync_current_user', {}))).role).toBe('community');
      const boss = newPersona('boss');
      const client = await asUser(boss, { ...claims, email_verified: true });
      expect((await unwrap(client.rpc('sync_current_user', {}))).role).toBe('admin');
      // The right follows the address: with another one it is gone.
      const later = await asUser(boss, { email: 'other@example.com' });
      expect((await unwrap(later.rpc('sync_current_user', { p_selected_role: 'community' }))).role).toBe('community');
    }));

  test('C-09 nobody can make themselves admin, and an unknown role is refused', async () => {
    const client = await asUser(newPersona('wisher'));
    expect((await unwrap(client.rpc('sync_current_user', { p_selected_role: 'admin' }))).role).toBe('community');
    expect(await refusal(client.rpc('sync_current_user', { p_selected_role: 'root' }))).toEqual({
      status: 400,
      code: 'INVALID_ROLE',
      message: 'Unknown role',
    });
  });

  test('an unverified address is not stored, and does not replace a stored one', async () => {
    const persona = newPersona('unverified');
    const unverified = await asUser(persona, { email_verified: false });
    expect((await unwrap(unverified.rpc('sync_current_user', {}))).email).toBeNull();
    expect((await unwrap((await asUser(persona)).rpc('sync_current_user', {}))).email).toBe(persona.email);
    expect((await unwrap(unverified.rpc('sync_current_user', {}))).email).toBe(persona.email);
  });

  test('refuses visitors', async () => {
    expect(await refusal(asAnon().rpc('sync_current_user', {}))).toMatchObject({ status: 401 });
  });
});

describe('switch_role', () => {
  test('C-10 HEAD-04 switches between community and project; the project role follows from the project', async () => {
    const member = await newMember();
    const switchTo = async (role: string) => (await unwrap(member.client.rpc('switch_role', { p_role: role }))).role;
    expect(await switchTo('startup_verified')).toBe('startup_unverified');
    await unwrap(member.client.rpc('create_startup_profile', { p_name: 'Mine', p_industry: 'SaaS' }));
    expect((await unwrap(member.client.from('user_profiles').select('role').single())).role).toBe('startup_verified');
    expect(await switchTo('community')).toBe('community');
    expect(await switchTo('startup')).toBe('startup_verified');
  });

  test('C-10 AUTH-08 the next sign-in keeps the choice, as far as the project still allows it', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const roles: string[] = [];
    for (const { id, client } of [owner, member]) {
      await unwrap(client.rpc('switch_role', { p_role: 'startup' }));
      await sql().query("update public.user_profiles set role = 'startup_verified' where user_id = $1", [id]);
      roles.push((await unwrap(client.rpc('sync_current_user', {}))).role);
    }
    expect(roles).toEqual(['startup_verified', 'startup_unverified']);
  });

  test('C-11 an admin remains admin, whatever role they choose', async () => {
    const admin = await newAdmin();
    expect((await unwrap(admin.client.rpc('switch_role', { p_role: 'community' }))).role).toBe('admin');
  });

  test('refuses admin as a choice, callers without a profile, suspended members and visitors, and changes nothing', async () => {
    const member = await newMember();
    const suspended = await suspend(await newMember());
    const stranger = await asUser(newPersona());
    await changesNothing(async () => {
      for (const role of ['admin', '', 'x'.repeat(2001), "' or 1=1 --"]) {
        expect(await refusal(member.client.rpc('switch_role', { p_role: role }))).toEqual({
          status: 400,
          code: 'INVALID_ROLE',
          message: 'Unknown role',
        });
      }
      expect(await refusal(stranger.rpc('switch_role', { p_role: 'community' }))).toEqual({
        status: 404,
        code: 'PROFILE_NOT_FOUND',
        message: 'Profile not found',
      });
      expect(await refusal(suspended.client.rpc('switch_role', { p_role: 'startup' }))).toEqual(SUSPENDED);
      expect(await refusal(asAnon().rpc('switch_role', { p_role: 'startup' }))).toMatchObject({ status: 401 });
    });
  });
});

describe('save_interests', () => {
  test("C-116 stores the caller's choices without duplicates and for the caller only; an empty list clears them", async () => {
    const [member, other] = [await newMember(), await newMember()];
    const save = (interests: string[]) => unwrap(member.client.rpc('save_interests', { p_interests: interests }));
    expect(await save(['Travel', 'Gaming', 'Travel'])).toMatchObject({ interests: ['Gaming', 'Travel'] });
    const read = (reader: typeof other) =>
      reader.client.from('user_profiles').select('interests').eq('user_id', member.id);
    expect((await read(member)).data).toEqual([{ interests: ['Gaming', 'Travel'] }]);
    expect((await read(other)).data).toEqual([]);
    expect(await save([])).toMatchObject({ interests: [] });
  });

  test('C-116 refuses unknown industries and visitors', async () => {
    const member = await newMember();
    const save = (client: typeof member.client, interests: string[]) =>
      refusal(client.rpc('save_interests', { p_interests: interests }));
    const missing: object = { interests: null };
    for (const { interests } of [
      { interests: ['Gaming', 'Sorcery'] },
      { interests: ['gaming'] },
      { interests: [''] },
      { interests: [], ...missing },
    ]) {
      expect(await save(member.client, interests)).toMatchObject({ status: 400, code: 'INDUSTRY_REQUIRED' });
    }
    expect(await save(asAnon(), ['Gaming'])).toMatchObject({ status: 401 });
    const suspended = await suspend(await newMember());
    expect(await save(suspended.client, ['Gaming'])).toEqual(SUSPENDED);
    const { data } = await member.client.from('user_profiles').select('interests').single();
    expect(data).toEqual({ interests: [] });
  });
});

describe('update_profile and update_user_email', () => {
  test('PROF-05 C-65 saves names, and the address only when the token says that it is verified', async () => {
    const member = await newMember();
    const save = (email?: string) =>
      unwrap(
        member.client.rpc('update_profile', {
          p_username: ' neo ',
          p_display_name: '<b>Neo</b>',
          ...(email && { p_email: email }),
        }),
      );
    expect(await save('other@example.com')).toMatchObject({
      username: 'neo',
      display_name: '<b>Neo</b>',
      email: member.email,
    });
    const moved = await asUser(member, { email: 'New@Example.com' });
    const saved = await unwrap(
      moved.rpc('update_profile', { p_username: '', p_display_name: '', p_email: 'new@example.com' }),
    );
    expect(saved).toMatchObject({ username: 'neo', display_name: null, email: 'new@example.com' });
  });

  test("update_user_email stores only the caller's verified address", async () => {
    const [member, other, admin] = [await newMember(), await newMember(), await newAdmin()];
    const store = (client: typeof member.client, userId: string, email: string, more: object = {}) =>
      client.rpc('update_user_email', { p_user_id: userId, p_email: email, p_full_name: 'Name', ...more });
    await changesNothing(async () => {
      expect(await refusal(store(member.client, other.id, member.email))).toEqual(FORBIDDEN);
      expect(await refusal(store(admin.client, other.id, admin.email))).toEqual(FORBIDDEN);
      const unverified = await asUser(member, { email_verified: false });
      for (const [client, email] of [
        [member.client, 'other@example.com'],
        [member.client, ''],
        [unverified, member.email],
      ] as const) {
        expect(await refusal(store(client, member.id, email))).toEqual({
          status: 422,
          code: 'EMAIL_NOT_VERIFIED',
          message: 'This email address is not verified',
        });
      }
      const missing = { p_email: null };
      expect(await refusal(store(unverified, member.id, '', missing))).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
      expect(await refusal(store(asAnon(), member.id, member.email))).toMatchObject({ status: 401 });
    });
    const moved = await asUser(member, { email: 'moved@example.com' });
    expect(await unwrap(store(moved, member.id, ' MOVED@example.com '))).toMatchObject({
      email: 'moved@example.com',
      display_name: member.name,
    });
    // The name is only for whoever has none.
    const nameless = await newMember('nameless', { name: null });
    const long = { p_full_name: 'x'.repeat(121) };
    const named = await unwrap(store(nameless.client, nameless.id, nameless.email, long));
    expect(named).toMatchObject({ email: nameless.email, display_name: 'x'.repeat(120) });
  });

  test('refuses overlong names and suspended members, and changes nothing', async () => {
    const member = await newMember();
    const suspended = await suspend(await newMember());
    await changesNothing(async () => {
      for (const [username, name] of [
        ['x'.repeat(81), 'n'],
        ['u', 'x'.repeat(121)],
        ['u', 'x'.repeat(2001)],
        // For its length, before its words are looked at.
        [`support \u202e${'x'.repeat(81)}`, 'n'],
        ['u', `support \u202e${'x'.repeat(2001)}`],
      ] as const) {
        expect(
          await refusal(member.client.rpc('update_profile', { p_username: username, p_display_name: name })),
        ).toEqual({ status: 400, code: 'NAME_TOO_LONG', message: 'Please use a shorter name' });
      }
      expect(await refusal(suspended.client.rpc('update_profile', { p_username: 'a', p_display_name: 'b' }))).toEqual(
        SUSPENDED,
      );
    });
    const longest = { username: 'x'.repeat(80), display_name: 'y'.repeat(120) };
    expect(
      await unwrap(
        member.client.rpc('update_profile', { p_username: longest.username, p_display_name: longest.display_name }),
      ),
    ).toMatchObject(longest);
  });
});

describe('save_provider_account', () => {
  const save = (who: Member, picture: string | null, accounts: Record<string, string> | null, at: string) =>
    unwrap(
      asService().rpc('save_provider_account', {
        p_user_id: who.id,
        p_avatar_url: picture as string,
        p_accounts: accounts,
        p_changed_at: at,
      }),
    );
  const shown = (who: Member) =>
    unwrap(who.client.from('user_profiles').select('avatar_url, verified_socials').eq('user_id', who.id).single());

  test('DB-12 C-108 stores the picture and the connected accounts of one person, unless the report is late', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const before = await shown(other);
    const account = { avatar_url: 'https://img.example/a.png', verified_socials: { github: 'ada' } };
    expect(await save(member, account.avatar_url, { github: 'ada' }, '2026-01-02')).toBe(true);
    expect(await shown(member)).toEqual(account);
    expect(await save(member, account.avatar_url, { github: 'ada' }, '2026-01-03')).toBe(false);
    // Late, also when what came after it was what is stored: a picture that was changed and changed back.
    for (const late of ['2026-01-01', '2026-01-02']) expect(await save(member, null, null, late)).toBe(false);
    expect(await shown(member)).toEqual(account);
    expect(await save(member, account.avatar_url, { github: 'ada', x: 'ada' }, '2026-01-03')).toBe(true);
    expect(await shown(member)).toMatchObject({ verified_socials: { github: 'ada', x: 'ada' } });
    expect(await save(member, 'javascript:alert(1)', null, '2026-01-04')).toBe(true);
    expect(await shown(member)).toEqual({ avatar_url: null, verified_socials: {} });
    expect(await shown(other)).toEqual(before);
  });

  test("TRUST-19 a role that the identity provider has taken away leaves an admin by the database's grant or by the owner's address", () =>
    withSettings({ owner_email: null }, async () => {
      const [former, granted, boss, member] = [await newAdmin(), await newAdmin(), await newAdmin(), await newMember()];
      await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [granted.id]);
      await sql().query('update public.app_settings set owner_email = $1', [boss.email]);
      const roleAfter = async ({ id }: Member) => {
        const report = { p_user_id: id, p_avatar_url: '', p_accounts: {}, p_changed_at: new Date().toISOString() };
        await unwrap(asService().rpc('save_provider_account', { ...report, p_is_admin: false }));
        const { rows } = await sql().query('select role from public.user_profiles where user_id = $1', [id]);
        return rows[0]?.role;
      };
      const roles = [];
      for (const who of [former, granted, boss, member]) roles.push(await roleAfter(who));
      expect(roles).toEqual(['community', 'admin', 'admin', 'community']);
    }));

  test('TRUST-19 TRUST-28 a report that does not say so takes no admin right, and one about an erased account changes nothing', async () => {
    const [admin, gone] = [await newAdmin(), await newMember()];
    expect(await save(admin, 'https://img.example/a.png', null, '2026-01-02')).toBe(true);
    const { rows } = await sql().query('select role from public.user_profiles where user_id = $1', [admin.id]);
    expect(rows).toEqual([{ role: 'admin' }]);
    await asService().rpc('anonymise_user', { p_user_id: gone.id }).throwOnError();
    expect(await save(gone, 'https://img.example/b.png', { github: 'ada' }, '2100-01-02')).toBe(false);
  });
});

describe('addresses and the welcome mail belong to the server', () => {
  test('C-65 DB-12 an address that the identity provider reports late does not replace a later one, or anybody else’s', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const unverified = await newMember('unverified', { email_verified: false });
    const report = async (p_email: string, p_changed_at: string, p_user_id = member.id) =>
      (await asService().rpc('record_changed_email', { p_user_id, p_email, p_changed_at }).throwOnError()).data;
    const [first, second] = [`first-${member.email}`, `second-${member.email}`];
    expect(await report(first, '2026-01-02')).toBe(true);
    // The latest report of one moment counts.
    expect(await report(second, '2026-01-02')).toBe(true);
    expect(await report(first, '2026-01-01')).toBe(false);
    // A first address comes with the next sign-in.
    expect(await report(`third-${member.email}`, '2026-01-02', unverified.id)).toBe(false);
    const { rows } = await sql().query('select email from public.user_profiles where user_id = any ($1) order by 1', [
      [member.id, other.id, unverified.id],
    ]);
    expect(rows.map(({ email }) => email ?? '').toSorted()).toEqual(['', second, other.email].toSorted());
  });

  test('MAIL-03 only the service role reads an address by id and requests the welcome mail, which is enqueued once', async () => {
    const [member, next] = [await newMember(), await newMember()];
    const unverified = await newMember('unverified', { email_verified: false });
    const service = asService();
    expect(await unwrap(service.rpc('get_user_email_by_clerk_id', { p_user_id: member.id }))).toBe(member.email);
    const welcome = { p_user_id: member.id, p_first_name: 'Robin', p_is_startup: false };
    const requests = await Promise.all(
      Array.from({ length: 20 }, () => unwrap(service.rpc('request_welcome_email', welcome))),
    );
    const [id, ...more] = requests.filter((request) => request !== null);
    expect(more).toEqual([]);
    const ask = async (who: Member, more: object = {}) =>
      (await service.rpc('request_welcome_email', { ...welcome, p_user_id: who.id, ...more })).data;
    // Who has no address yet is welcomed once there is one.
    const unusual = { p_first_name: 'x'.repeat(81), p_is_startup: null };
    expect([await ask(next, unusual), await ask(unverified)]).toEqual([expect.any(Number), null]);
    const { rows: shortened } = await sql().query('select payload from public.outbox_events where user_id = $1', [
      next.id,
    ]);
    expect(shortened).toEqual([{ payload: { first_name: 'x'.repeat(80), is_startup: false } }]);
    await unwrap((await asUser(unverified)).rpc('sync_current_user', {}));
    expect(await ask(unverified)).toEqual(expect.any(Number));
    const { rows } = await sql().query('select id::int, payload from public.outbox_events where user_id = $1', [
      member.id,
    ]);
    expect(rows).toEqual([{ id, payload: { first_name: 'Robin', is_startup: false } }]);
    for (const client of [member.client, asAnon(), (await newOwner()).client, (await newAdmin()).client]) {
      expect((await refusal(client.rpc('get_user_email_by_clerk_id', { p_user_id: member.id }))).status).toBeOneOf([
        401, 403,
      ]);
      expect((await refusal(client.rpc('request_welcome_email', welcome))).status).toBeOneOf([401, 403]);
    }
  });
});
