import type pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { sql, testEnv } from '../../local/testing/clients.ts';
import { newAdmin, newMember } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const ISSUER = testEnv().IDENTITY_ISSUER;

/** Runs a query as PostgREST does after verifying the signature of a token; it does not check the issuer. */
async function withClaims<T>(claims: Record<string, unknown>, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await sql().connect();
  try {
    await client.query('begin');
    await client.query("select set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true)", [
      JSON.stringify({ role: 'authenticated', ...claims }),
    ]);
    return await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const value = async (client: pg.PoolClient, expression: string): Promise<unknown> =>
  (await client.query(`select ${expression} as value`)).rows[0].value;

afterEach(() => sql().query('update private.deployment set token_issuer = $1', [ISSUER]));

describe.each([
  ['of the platform’s own sign-in', 'http://project.supabase.co/auth/v1'],
  ['of another instance', 'https://other.clerk.accounts.dev'],
  ['of an issuer with the same prefix', `${ISSUER}.evil.example`],
  ['with an additional slash', `${ISSUER}/`],
  ['without an issuer', undefined],
  ['whose issuer is a list', [ISSUER]],
])('a token %s', (_what, iss) => {
  test('TRUST-29 is nobody: it has no id, no address and no rights, sees no rows and may do nothing', async () => {
    const [member, admin] = [await newMember(), await newAdmin()];
    const claims = (sub: string) => ({
      iss,
      sub,
      email: member.email,
      email_verified: true,
      public_metadata: { role: 'admin' },
    });
    await withClaims(claims(member.id), async (client) => {
      expect(await value(client, 'public.current_user_id()')).toBeNull();
      expect(await value(client, 'private.is_admin()')).toBe(false);
      for (const table of ['user_profiles', 'wallets', 'submissions', 'audit_log']) {
        expect((await client.query(`select 1 from public.${table}`)).rows, table).toEqual([]);
      }
      await expect(value(client, 'public.sync_current_user()')).rejects.toMatchObject({ hint: 'UNAUTHENTICATED' });
    });
    // Nor does its address confirm anything, or restore the right of a former admin.
    await withClaims(claims(admin.id), async (client) => {
      expect(await value(client, `public.subscribe_to_mailing_list('${member.email}')`)).toBe('confirm');
      await expect(client.query('select * from public.get_admin_todo()')).rejects.toMatchObject({
        hint: 'UNAUTHENTICATED',
      });
    });
  });
});

test('TRUST-29 a token of the configured issuer is its subject, and after a change of issuer nobody at once', async () => {
  const member = await newMember();
  const claims = { iss: ISSUER, sub: member.id };
  expect(await withClaims(claims, (client) => value(client, 'public.current_user_id()'))).toBe(member.id);
  await sql().query("update private.deployment set token_issuer = 'https://new.example'");
  expect(await withClaims(claims, (client) => value(client, 'public.current_user_id()'))).toBeNull();
  expect((await member.client.rpc('current_user_id')).data).toBeNull();
});

test.each([undefined, ''])('TRUST-29 a token whose subject is %j is nobody, whatever else it says', async (sub) => {
  const claims = { iss: ISSUER, sub, email: 'somebody@example.com', email_verified: true };
  await withClaims(claims, async (client) => {
    expect(await value(client, 'public.current_user_id()')).toBeNull();
    expect(await value(client, 'private.session_claims()')).toBeNull();
  });
});

test('TRUST-29 a session that the identity provider calls pending is nobody until its tasks are done', async () => {
  const member = await newMember();
  const idOf = (sts: string) =>
    withClaims({ iss: ISSUER, sub: member.id, sts }, (client) => value(client, 'public.current_user_id()'));
  expect([await idOf('pending'), await idOf('active')]).toEqual([null, member.id]);
});

test('while no issuer is configured, a token that the platform trusts is its subject, whoever issued it', async () => {
  const member = await newMember();
  await sql().query('update private.deployment set token_issuer = null');
  for (const iss of [ISSUER, 'https://another.example', undefined]) {
    const claims = { iss, sub: member.id };
    expect(await withClaims(claims, (client) => value(client, 'public.current_user_id()'))).toBe(member.id);
  }
});

test('TRUST-29 procedures and policies read tokens only through session_claims', async () => {
  const { rows } = await sql().query(`
    select p.proname as name from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and p.prosrc ~ 'auth\\.(jwt|uid|role|email)\\(|request\\.jwt'
    union all
    select polname from pg_policy
    where coalesce(pg_get_expr(polqual, polrelid), '') || coalesce(pg_get_expr(polwithcheck, polrelid), '') ~ 'jwt\\('`);
  expect(rows).toEqual([{ name: 'session_claims' }]);
});

test.each([[undefined], ['']])('TRUST-29 a token of nobody (subject: %j) has no rights, whatever else it says', (sub) =>
  withClaims({ iss: ISSUER, sub, public_metadata: { role: 'admin' } }, async (client) => {
    expect(await value(client, 'public.current_user_id()')).toBeNull();
    expect(await value(client, 'private.is_admin()')).toBe(false);
  }),
);

test.each(['public.reconcile_ledger()', 'public.withdraw_email_consent(gen_random_uuid())'])(
  'TRUST-29 a token of nobody may not call %s, which server or suspended members may',
  (call) =>
    withClaims({ iss: ISSUER, public_metadata: { role: 'admin' } }, (client) =>
      expect(client.query(`select ${call}`)).rejects.toMatchObject({ hint: 'UNAUTHENTICATED' }),
    ),
);
