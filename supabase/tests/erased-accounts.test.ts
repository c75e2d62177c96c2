import { describe, expect, test } from 'vitest';
import { asService, asUser, newPersona, sql } from '../../local/testing/clients.ts';
import { HIDDEN, shown, verify } from './support/closed-business.ts';
import { newAdmin, newMember, newOwner, newQuest, refusal, unwrap } from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const erase = async (userId: string) => {
  const { error } = await asService().rpc('anonymise_user', { p_user_id: userId });
  expect(error).toBeNull();
};

const one = async (query: string, id: string) => (await sql().query(query, [id])).rows[0];

describe('ids without a profile', () => {
  const UNAUTHENTICATED = { status: 401, code: 'UNAUTHENTICATED', message: 'Please sign in to continue.' };

  test('TRUST-28 an id that was erased before its first sign-in can do nothing with its session', async () => {
    const [persona, admin] = [newPersona(), await newAdmin()];
    const client = await asUser(persona);
    const { taskId } = await newQuest(await newOwner());
    await unwrap(asService().rpc('anonymise_user', { p_user_id: persona.id }));
    const calls = [
      client.rpc('create_startup_profile', { p_name: 'X', p_industry: 'SaaS' }),
      client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }),
      client.rpc('sync_current_user', {}),
    ];
    for (const call of calls) expect(await refusal(call)).toEqual(UNAUTHENTICATED);
    // Not even as an admin of the identity provider.
    const asAdmin = await asUser(persona, { public_metadata: { role: 'admin' } });
    const suspension = asAdmin.rpc('suspend_user', { p_user_id: admin.id, p_reason: 'x' });
    expect(await refusal(suspension)).toEqual(UNAUTHENTICATED);
  });

  test('TRUST-28 nothing brings back the profile of an erased account, a suspension stays as it was, and an unknown one was not suspended', async () => {
    const [member, unknown, suspended] = [await newMember(), newPersona(), await newMember()];
    await sql().query(
      `update public.user_profiles set suspended_at = '2020-01-01', suspension_reason = 'Spam', role = 'admin', interests = '{SaaS}'
       where user_id = $1`,
      [suspended.id],
    );
    for (const { id } of [member, unknown, suspended])
      await unwrap(asService().rpc('anonymise_user', { p_user_id: id }));
    for (const statement of [
      "insert into public.user_profiles (user_id, username) values ($1, 'back')",
      "update public.user_profiles set display_name = 'Back' where user_id = $1",
    ]) {
      const id = statement.startsWith('insert') ? unknown.id : member.id;
      await expect(sql().query(statement, [id]), statement).rejects.toMatchObject({ hint: 'UNAUTHENTICATED' });
    }
    const query = 'select was_suspended from private.deleted_users where user_id = $1';
    expect(await one(query, unknown.id)).toEqual({ was_suspended: false });
    const suspension =
      "select suspended_at = '2020-01-01' as is_kept, suspension_reason, role, interests from public.user_profiles where user_id = $1";
    const erased = { role: 'community', interests: [] };
    expect(await one(suspension, suspended.id)).toEqual({ is_kept: true, suspension_reason: 'Spam', ...erased });
  });

  test('refuses to erase nobody', async () => {
    for (const p_user_id of ['', ' ']) {
      const erasure = asService().rpc('anonymise_user', { p_user_id });
      expect(await refusal(erasure)).toEqual({ status: 404, code: 'PROFILE_NOT_FOUND', message: 'Profile not found' });
    }
  });

  test('TRUST-28 an admin who verifies the project of an erased account lists nothing', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const { campaign } = await newQuest(owner);
    await erase(owner.id);
    await verify(admin, owner.startup.id);
    expect(await shown(owner, campaign.id)).toEqual(HIDDEN);
    const [project] = await unwrap(admin.client.rpc('admin_list_startups', { p_startup_id: owner.startup.id }));
    expect(project).toMatchObject({ owner_deleted_at: expect.any(String) });
    const [person] = await unwrap(admin.client.rpc('admin_search', { p_search: owner.id }));
    expect(person).toMatchObject({ title: 'Deleted member', status: null });
  });

  test('TRUST-21 lifting the suspension of an erased account that had none is not recorded as done', async () => {
    const [member, admin] = [await newMember(), await newAdmin()];
    await erase(member.id);
    const lift = { p_user_id: member.id, p_note: 'A mistake' };
    await changesNothing(() => unwrap(admin.client.rpc('lift_suspension', lift)));
  });

  test('a token that has never signed in to the product creates no project and gets no points', async () => {
    const persona = newPersona();
    const call = (await asUser(persona)).rpc('create_startup_profile', { p_name: 'X', p_industry: 'SaaS' });
    expect(await refusal(call)).toEqual({ status: 404, code: 'PROFILE_NOT_FOUND', message: 'Profile not found' });
    const { rowCount } = await sql().query('select 1 from public.wallets where owner_user_id = $1', [persona.id]);
    expect(rowCount).toBe(0);
  });
});
