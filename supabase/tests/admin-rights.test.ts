import { describe, expect, test } from 'vitest';
import { asService, asUser, newPersona, sql } from '../../local/testing/clients.ts';
import { lift, suspendUser } from './support/closed-business.ts';
import {
  FORBIDDEN,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  refusal,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const revoke = (who: Member, { id }: { id: string }, reason = 'Has left') =>
  who.client.rpc('revoke_admin', { p_user_id: id, p_reason: reason });
const restore = (who: Member, { id }: { id: string }) =>
  who.client.rpc('restore_admin', { p_user_id: id, p_reason: 'Is back' });
const roleOf = async ({ id }: Pick<Member, 'id'>): Promise<string> =>
  (await sql().query('select role from public.user_profiles where user_id = $1', [id])).rows[0]?.role;
/** Whether admin procedures and rows are open to this person right now. */
async function isAdmin({ client }: Pick<Member, 'client'>): Promise<boolean> {
  const { error } = await client.rpc('get_admin_todo');
  const lines = await unwrap(client.from('audit_log').select('id').limit(1));
  expect(lines.length > 0).toBe(error === null);
  return error === null;
}

describe("TRUST-19 the configured owner's right", () => {
  test("SEC-05 C-12 follows the configured address and the token's verified one on every call, without a new sign-in", () =>
    withSettings({ owner_email: null }, async () => {
      const boss = await newMember('boss');
      const setOwner = (email: string | null) =>
        sql().query('update public.app_settings set owner_email = $1', [email]);
      expect(await isAdmin(boss)).toBe(false);
      await setOwner(boss.email);
      expect(await isAdmin(boss)).toBe(true);
      expect(await isAdmin({ client: await asUser(boss, { email_verified: false }) })).toBe(false);
      expect(await isAdmin({ client: await asUser({ ...boss, email: 'moved@example.com' }) })).toBe(false);
      await setOwner('somebody@example.com');
      expect(await isAdmin(boss)).toBe(false);
      await setOwner(null);
      expect(await isAdmin({ client: await asUser(newPersona('nobody'), { email: null }) })).toBe(false);
    }));
});

test("TRUST-19 whoever has the product owner's address cannot undo a revocation with another account, until the right is restored", () =>
  withSettings({ owner_email: null }, async () => {
    const [admin, boss] = [await newAdmin(), await newMember('boss')];
    await sql().query('update public.app_settings set owner_email = $1', [boss.email]);
    await revoke(admin, boss).throwOnError();
    await asService().rpc('anonymise_user', { p_user_id: boss.id }).throwOnError();
    const again = { ...newPersona('again'), email: boss.email };
    const client = await asUser(again);
    expect(await isAdmin({ client })).toBe(false);
    // Nor is it restored together with somebody else's, while nobody has the address, and while somebody has it.
    const other = await newAdmin();
    const revokeAndRestoreOther = async () => {
      await revoke(admin, other).throwOnError();
      await restore(admin, other).throwOnError();
      expect([await isAdmin(other), await isAdmin({ client })]).toEqual([true, false]);
    };
    await revokeAndRestoreOther();
    await unwrap(client.rpc('sync_current_user', {}));
    expect(await isAdmin({ client })).toBe(false);
    await revokeAndRestoreOther();
    const person = await unwrap(admin.client.rpc('admin_get_person', { p_user_id: again.id }));
    expect(person).toMatchObject({ admin_revoked_at: expect.any(String) });

    // The address lost its right once, with the first of its accounts.
    const lost = async () => (await sql().query('select revoked_at from private.product_owner')).rows;
    const first = await lost();
    await revoke(admin, again).throwOnError();
    expect(await lost()).toEqual(first);

    await restore(admin, again).throwOnError();
    expect(await isAdmin({ client })).toBe(true);
    const { rows } = await sql().query(
      "select action from public.audit_log where subject_id = $1 and action like 'admin.%' order by id",
      [again.id],
    );
    expect(rows).toEqual([{ action: 'admin.revoke' }, { action: 'admin.restore' }]);
  }));

test("TRUST-19 the successor at the product owner's address stays admin when the predecessor's right is revoked", () =>
  withSettings({ owner_email: null }, async () => {
    const [admin, former] = [await newAdmin(), await newMember('former')];
    await sql().query('update public.app_settings set owner_email = $1', [former.email]);
    const address = { p_user_id: former.id, p_email: `moved-${former.email}`, p_changed_at: new Date().toISOString() };
    await unwrap(asService().rpc('record_changed_email', address));
    const successor = { ...newPersona('successor'), email: former.email };
    const client = await asUser(successor);
    await unwrap(client.rpc('sync_current_user', {}));
    await revoke(admin, former).throwOnError();
    expect(await isAdmin({ client })).toBe(true);
    await revoke(admin, successor).throwOnError();
    expect(await isAdmin({ client })).toBe(false);
    // Whoever installs the product decides whose address it is.
    await sql().query('update public.app_settings set owner_email = owner_email');
    await sql().query('delete from private.admins where user_id = $1', [successor.id]);
    expect(await isAdmin({ client })).toBe(true);
  }));

test('TRUST-19 TRUST-28 ends with the account, also for a token that outlives it, and deleting the account ends no revocation', async () => {
  const [admin, former] = [await newAdmin(), await newAdmin()];
  await revoke(admin, former).throwOnError();
  for (const { id } of [admin, former]) await asService().rpc('anonymise_user', { p_user_id: id }).throwOnError();
  expect([await isAdmin(admin), await isAdmin(former)]).toEqual([false, false]);
});

test('TRUST-28 the token of a deleted owner reads no proofs of members any more', async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  const { taskId } = await newQuest(owner);
  await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
  const proofs = () => unwrap(owner.client.from('submissions').select('proof_text'));
  expect(await proofs()).toEqual([{ proof_text: 'Done' }]);
  await asService().rpc('anonymise_user', { p_user_id: owner.id }).throwOnError();
  expect(await proofs()).toEqual([]);
});

describe('TRUST-19 revoke_admin', () => {
  test('revokes the right from the next call on, whatever the token says, and is audited; afterwards suspending works', async () => {
    const [admin, former, member] = [await newAdmin(), await newAdmin(), await newMember()];
    expect(await refusal(revoke(member, former))).toEqual(FORBIDDEN);
    expect(await refusal(revoke(admin, former, ' '))).toMatchObject({ code: 'REASON_REQUIRED' });
    expect(await refusal(revoke(admin, { id: 'user_nobody' }))).toMatchObject({
      status: 404,
      code: 'PROFILE_NOT_FOUND',
    });
    const call = { p_user_id: former.id, p_reason: 'Spam' };
    expect(await refusal(admin.client.rpc('suspend_user', call))).toMatchObject({ code: 'ADMIN_NOT_SUSPENDABLE' });

    expect(await isAdmin(former)).toBe(true);
    expect((await revoke(admin, former)).error).toBeNull();
    expect([await roleOf(admin), await roleOf(former)]).toEqual(['admin', 'community']);
    expect((await revoke(admin, former, 'Again')).error).toBeNull();
    expect(await isAdmin(former)).toBe(false);
    expect(await refusal(revoke(former, admin))).toEqual(FORBIDDEN);
    // Signing in again does not restore it.
    expect((await unwrap(former.client.rpc('sync_current_user', {}))).role).toBe('community');
    expect(await isAdmin(former)).toBe(false);
    const { rows } = await sql().query(
      "select actor_id, before, after, note from public.audit_log where action = 'admin.revoke' and subject_id = $1",
      [former.id],
    );
    const change = { before: { is_admin: true }, after: { is_admin: false } };
    expect(rows).toEqual([{ actor_id: admin.id, ...change, note: 'Has left' }]);
    expect((await unwrap(admin.client.rpc('suspend_user', call))).suspension_reason).toBe('Spam');
  });

  test('replaces the reason of a right that was granted in the database, keeps who revoked it, and leaves founders founders', async () => {
    const [admin, former] = [await newAdmin(), await newMember()];
    await sql().query("insert into private.admins (user_id, reason) values ($1, 'Founder')", [former.id]);
    await sql().query("update public.user_profiles set role = 'startup_verified' where user_id = $1", [former.id]);
    await revoke(admin, former).throwOnError();
    const { rows } = await sql().query('select reason, revoked_by from private.admins where user_id = $1', [former.id]);
    expect(rows).toEqual([{ reason: 'Has left', revoked_by: admin.id }]);
    expect(await roleOf(former)).toBe('startup_verified');
  });

  test('comes before a suspension, also for an admin by a grant in the database, and for whom another account of theirs is named', async () => {
    const [admin, granted] = [await newAdmin(), await newMember()];
    const alias = await newMember('alias', { email: granted.email.replace('@', '+2@') });
    await sql().query("insert into private.admins (user_id, reason) values ($1, 'Founder')", [granted.id]);
    const suspension = ({ id }: Member) => admin.client.rpc('suspend_user', { p_user_id: id, p_reason: 'Spam' });
    for (const who of [granted, alias]) {
      expect(await changesNothing(() => refusal(suspension(who)))).toMatchObject({ code: 'ADMIN_NOT_SUSPENDABLE' });
    }
    // Somebody else's grant protects nobody.
    const stranger = await newMember();
    expect(await unwrap(suspension(stranger))).toMatchObject({ suspended_at: expect.any(String) });
    await revoke(admin, granted).throwOnError();
    expect(await unwrap(suspension(granted))).toMatchObject({ suspended_at: expect.any(String) });
  });

  test('can be undone by another admin, never by the revoked one, and for nobody else', async () => {
    const [admin, former, other, granted] = [await newAdmin(), await newAdmin(), await newAdmin(), await newMember()];
    await sql().query("insert into private.admins (user_id, reason) values ($1, 'Founder')", [granted.id]);
    await revoke(admin, other).throwOnError();
    const facts = async () =>
      (await admin.client.rpc('admin_get_person', { p_user_id: former.id }).throwOnError()).data;
    expect(await facts()).toMatchObject({ admin_revoked_at: null });
    await revoke(admin, former).throwOnError();
    expect(await facts()).toMatchObject({ admin_revoked_at: expect.any(String) });
    expect(await refusal(restore(former, former))).toEqual(FORBIDDEN);
    const unexplained = admin.client.rpc('restore_admin', { p_user_id: former.id, p_reason: ' ' });
    expect(await refusal(unexplained)).toMatchObject({ status: 400, code: 'REASON_REQUIRED' });
    await restore(admin, former).throwOnError();
    expect(await facts()).toMatchObject({ admin_revoked_at: null });
    expect(await isAdmin(former)).toBe(true);
    expect(await isAdmin(other)).toBe(false);
    // Nothing to undo: a right that was granted in the database stays, without a word in the log.
    await restore(admin, granted).throwOnError();
    expect(await isAdmin(granted)).toBe(true);
    const { rowCount } = await sql().query('select 1 from public.audit_log where subject_id = $1', [granted.id]);
    expect(rowCount).toBe(0);
    // Not among those who remain in the tests of the last admin.
    await sql().query('delete from private.admins where user_id = $1', [granted.id]);
  });

  test("an admin whose right is revoked while waiting for a lock cannot revoke another's, even if a third admin would remain", async () => {
    const [one, two] = [await newAdmin(), await newAdmin()];
    await newAdmin();
    const decision = await sql().connect();
    try {
      await decision.query('begin');
      await decision.query("select pg_advisory_xact_lock(hashtextextended('admins', 0))");
      const answers = Promise.all([revoke(one, two), revoke(two, one)]);
      await untilWaiting(2);
      await decision.query('rollback');
      expect((await answers).map(({ error }) => error?.hint).toSorted()).toEqual(['FORBIDDEN', undefined]);
    } finally {
      await decision.query('rollback');
      decision.release();
    }
  });

  test('refuses to revoke the last admin, even when two revoke each other at the same time', async () => {
    const [one, two] = [await newAdmin(), await newAdmin()];
    await sql().query(
      "update public.user_profiles set role = 'community' where role = 'admin' and user_id <> all ($1)",
      [[one.id, two.id]],
    );
    const answers = await Promise.all([revoke(one, two), revoke(two, one)]);
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    const left = answers[0]?.error === null ? one : two;
    expect(await isAdmin(left)).toBe(true);
    expect(await changesNothing(() => refusal(revoke(left, left)))).toEqual({
      status: 409,
      code: 'LAST_ADMIN',
      message: 'The last admin cannot be removed',
    });
    await newAdmin();
    expect((await revoke(left, left)).error).toBeNull();
    expect(await isAdmin(left)).toBe(false);
  });

  test('lets an admin go whose last colleague has the right by a grant in the database', async () => {
    const [own, granted] = [await newAdmin(), await newMember()];
    await sql().query("update public.user_profiles set role = 'community' where role = 'admin' and user_id <> $1", [
      own.id,
    ]);
    await sql().query("insert into private.admins (user_id, reason) values ($1, 'Founder')", [granted.id]);
    await revoke(own, own).throwOnError();
    expect([await isAdmin(own), await isAdmin(granted)]).toEqual([false, true]);
    await sql().query('delete from private.admins where user_id = $1', [granted.id]);
  });

  test('refuses to revoke the last admin, of whose colleague the identity provider has reported that the role was taken away', async () => {
    const [last, former] = [await newAdmin(), await newAdmin()];
    await sql().query(
      "update public.user_profiles set role = 'community' where role = 'admin' and user_id <> all ($1)",
      [[last.id, former.id]],
    );
    const report = { p_user_id: former.id, p_avatar_url: '', p_accounts: {}, p_changed_at: new Date().toISOString() };
    await unwrap(asService().rpc('save_provider_account', { ...report, p_is_admin: false }));
    expect(await refusal(revoke(last, last))).toMatchObject({ code: 'LAST_ADMIN' });
  });

  test("refuses to revoke the last admin, whose colleague had the product owner's address until it was changed, or is suspended", () =>
    withSettings({ owner_email: null }, async () => {
      const [last, former, suspended] = [await newAdmin(), await newMember('former'), await newAdmin()];
      await sql().query("update public.user_profiles set role = 'community' where role = 'admin' and user_id <> $1", [
        last.id,
      ]);
      const setOwner = (email: string) => sql().query('update public.app_settings set owner_email = $1', [email]);
      await setOwner(former.email);
      await unwrap(former.client.rpc('sync_current_user', {}));
      // Said again, it is the same address.
      await setOwner(former.email);
      expect(await roleOf(former)).toBe('admin');
      await setOwner('somebody@example.com');
      expect(await refusal(revoke(last, last))).toMatchObject({ code: 'LAST_ADMIN' });
      expect([await roleOf(former), await roleOf(last)]).toEqual(['community', 'admin']);
      await sql().query("update public.user_profiles set role = 'startup_verified' where user_id = $1", [former.id]);
      for (const email of [former.email, 'somebody@example.com']) await setOwner(email);
      expect(await roleOf(former)).toBe('startup_verified');

      // A suspension may come with another account of the person.
      await unwrap(suspended.client.rpc('sync_current_user', {}));
      await suspend(suspended);
      expect(await refusal(revoke(last, last))).toMatchObject({ code: 'LAST_ADMIN' });
    }));
});

describe('BEY-04 a suspension', () => {
  test('for the same reason again changes nothing; for another one it stays the same suspension', async () => {
    const [admin, owner] = [await newAdmin(), await newOwner()];
    const first = await suspendUser(admin, owner, 'Spam');
    await changesNothing(() => suspendUser(admin, owner, 'Spam'));
    expect(await suspendUser(admin, owner, 'Fraud')).toMatchObject({
      suspended_at: first.suspended_at,
      suspension_reason: 'Fraud',
    });
    const query = "select 1 from public.audit_log where subject_id = $1 and action = 'startup.suspend'";
    expect((await sql().query(query, [owner.startup.id])).rowCount).toBe(1);
  });

  test('of a deleted account is not lifted with that of another one, which has none', async () => {
    const [admin, suspended, other] = [await newAdmin(), await newMember(), await newMember()];
    await suspendUser(admin, suspended);
    for (const { id } of [suspended, other]) await unwrap(asService().rpc('anonymise_user', { p_user_id: id }));
    await changesNothing(() => lift(admin, other));
  });
});
