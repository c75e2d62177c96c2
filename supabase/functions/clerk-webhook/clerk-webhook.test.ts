import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLERK_WEBHOOK_SECRET as STACK_SECRET } from '../../../local/constants.ts';
import { svixHeaders } from '../../../local/emulators/clerk-webhooks.ts';
import { closeSql, sql, testEnv } from '../../../local/testing/clients.ts';
import { CLERK_WEBHOOK_SECRET, type Served, serveFunctions } from '../_testing/served-functions.ts';
import { signIn } from '../_testing/stack.ts';

const deletion = (id: string) => JSON.stringify({ type: 'user.deleted', data: { id, deleted: true } });

describe('verification', () => {
  let served: Served;
  let removed: unknown[];

  beforeAll(async () => {
    served = await serveFunctions();
  });
  afterAll(() => served.close());
  beforeEach(() => {
    removed = [];
    served.backend.procedures.clear();
    served.backend.procedures.set('anonymise_user', ({ p_user_id }) => void removed.push(p_user_id));
  });

  const deliver = (body: string, headers: Record<string, string>) => served.post('clerk-webhook', body, headers);
  const now = () => Math.floor(Date.now() / 1000);

  it.each([
    ['no signature', () => ({})],
    ['the signature of another secret', (body: string) => svixHeaders(body, `whsec_${btoa('other')}`)],
    ['the signature of another body', () => svixHeaders(deletion('user_other'), CLERK_WEBHOOK_SECRET)],
    ['an expired signature', (body: string) => svixHeaders(body, CLERK_WEBHOOK_SECRET, now() - 600)],
    ['a signature from the future', (body: string) => svixHeaders(body, CLERK_WEBHOOK_SECRET, now() + 600)],
    [
      'a signature of another version',
      (body: string) => {
        const headers = svixHeaders(body, CLERK_WEBHOOK_SECRET);
        return { ...headers, 'svix-signature': headers['svix-signature'].replace('v1,', 'v1a,') };
      },
    ],
    ['nonsense', (body: string) => ({ ...svixHeaders(body, CLERK_WEBHOOK_SECRET), 'svix-signature': 'v1,%%% v1' })],
  ])('refuses %s', async (_what, headers) => {
    const body = deletion('user_victim');
    const response = await deliver(body, headers(body));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(removed).toEqual([]);
  });

  it('accepts one valid signature among several, as during secret rotation', async () => {
    const body = JSON.stringify({ type: 'session.created', data: { id: 'sess_x' } });
    const headers = svixHeaders(body, CLERK_WEBHOOK_SECRET);
    const signatures = `v1,${btoa('old')} ${headers['svix-signature']}`;
    const response = await deliver(body, { ...headers, 'svix-signature': signatures });
    expect(await response.json()).toEqual({ received: true, outcome: 'ignored' });
    expect(removed).toEqual([]);
  });

  it('answers with an error while the database is down, so that Clerk retries', async () => {
    served.backend.procedures.set('anonymise_user', () => {
      throw new Error('down');
    });
    const body = deletion('user_x');
    expect((await deliver(body, svixHeaders(body, CLERK_WEBHOOK_SECRET))).status).toBe(503);
  });

  it.each([
    ['a deletion that names nobody', 'user.deleted', { deleted: true }],
    ['a change without its time', 'user.updated', { id: 'user_x' }],
    ['a change after the last day that a Date can hold', 'user.updated', { id: 'user_x', updated_at: 1e18 }],
    ['an account made after the year 9999', 'user.created', { id: 'user_x', updated_at: 8.64e15 }],
    ['an account made before 1970', 'user.created', { id: 'user_x', updated_at: -1e18 }],
    ['accounts in another shape', 'user.created', { id: 'user_x', updated_at: 1, external_accounts: {} }],
    ['addresses in another shape', 'user.updated', { id: 'user_x', updated_at: 1, email_addresses: {} }],
  ])('TRUST-28 refuses %s, so that Clerk reports it instead of nobody', async (_what, type, data) => {
    const saved: unknown[] = [];
    served.backend.procedures.set('save_provider_account', ({ p_user_id }) => saved.push(p_user_id) > 0);
    const body = JSON.stringify({ type, data });
    const response = await deliver(body, svixHeaders(body, CLERK_WEBHOOK_SECRET));
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'INVALID_INPUT' }]);
    expect(removed).toEqual([]);
    // What can be read of it counts nevertheless: somebody may have lost the admin's role.
    expect(saved).toEqual('email_addresses' in data ? ['user_x'] : []);
  });

  it('refuses an oversized body before anything else', async () => {
    const body = deletion('x'.repeat(300_000));
    expect((await deliver(body, {})).status).toBe(413);
  });
});

describe('on the stack', () => {
  afterAll(closeSql);

  const { SUPABASE_URL, SUPABASE_SECRET_KEY } = testEnv();

  it('a deleted account loses its profile and files, and another delivery changes nothing', async () => {
    const [person, other] = await Promise.all([signIn(), signIn()]);
    for (const { id } of [person, other]) {
      const upload = await fetch(`${SUPABASE_URL}/storage/v1/object/proofs/${id}/proof_1_a.png`, {
        method: 'POST',
        headers: { apikey: SUPABASE_SECRET_KEY, 'content-type': 'image/png' },
        body: new Uint8Array([137, 80, 78, 71]),
      });
      expect(upload.status).toBe(200);
    }
    const body = deletion(person.id);
    for (let delivery = 1; delivery <= 2; delivery += 1) {
      const response = await fetch(`${SUPABASE_URL}/functions/v1/clerk-webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...svixHeaders(body, STACK_SECRET) },
        body,
      });
      expect([response.status, await response.json()]).toEqual([200, { received: true, outcome: 'erased' }]);
    }
    const profiles = await sql().query(
      'select email from public.user_profiles where user_id = any ($1) order by email',
      [[person.id, other.id]],
    );
    expect(profiles.rows).toEqual([{ email: other.email }, { email: null }]);
    const files = await sql().query(
      "select name from storage.objects where name like any (array[$1 || '/%', $2 || '/%'])",
      [person.id, other.id],
    );
    expect(files.rows).toEqual([{ name: `${other.id}/proof_1_a.png` }]);
  });

  const deliver = async (type: string, data: object) => {
    const body = JSON.stringify({ type, data });
    const response = await fetch(`${SUPABASE_URL}/functions/v1/clerk-webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...svixHeaders(body, STACK_SECRET) },
      body,
    });
    return [response.status, await response.json()];
  };
  const kept = async (id: string) => {
    const { rows } = await sql().query(
      'select avatar_url, verified_socials from public.user_profiles where user_id = $1',
      [id],
    );
    return rows;
  };

  it('C-108 DB-12 picture and verified accounts follow the identity provider, and are removed when they are removed there', async () => {
    const person = await signIn();
    const picture = 'https://img.clerk.com/robin.png';
    const accounts = [
      { provider: 'oauth_github', username: 'robin', verification: { status: 'verified' } },
      { provider: 'oauth_x', username: 'somebody', verification: { status: 'unverified' } },
    ];
    const reported = {
      id: person.id,
      updated_at: Date.now(),
      has_image: true,
      image_url: picture,
      external_accounts: accounts,
    };
    expect(await deliver('user.updated', reported)).toEqual([200, { received: true, outcome: 'saved' }]);
    expect(await kept(person.id)).toEqual([{ avatar_url: picture, verified_socials: { github: 'robin' } }]);
    expect(await deliver('user.updated', reported)).toEqual([200, { received: true, outcome: 'ignored' }]);

    // Clerk's generated initials are not a picture, and only a web address ever becomes one.
    await deliver('user.updated', { ...reported, has_image: false, external_accounts: [] });
    expect(await kept(person.id)).toEqual([{ avatar_url: null, verified_socials: {} }]);
    await deliver('user.updated', { ...reported, image_url: 'javascript:alert(1)' });
    expect(await kept(person.id)).toMatchObject([{ avatar_url: null }]);
  });

  it("TRUST-19 who has lost the admin's role at the identity provider counts as an admin no longer, without another visit", async () => {
    const person = await signIn();
    await sql().query("update public.user_profiles set role = 'admin' where user_id = $1", [person.id]);
    const report = async (at: number, metadata?: object) => {
      await deliver('user.updated', { id: person.id, updated_at: at, public_metadata: metadata });
      const { rows } = await sql().query('select role from public.user_profiles where user_id = $1', [person.id]);
      return rows[0]?.role;
    };
    const now = Date.now();
    expect([await report(now), await report(now + 1, { role: 'admin' })]).toEqual(['admin', 'admin']);
    expect(await report(now - 1, {})).toBe('admin');
    expect(await report(now + 2, { plan: 'x' })).toBe('community');
  });

  it('C-108 a late event does not bring back an old picture', async () => {
    const person = await signIn();
    const at = (updated_at: number, name: string) => ({
      id: person.id,
      updated_at,
      has_image: true,
      image_url: `https://img.clerk.com/${name}.png`,
    });
    const now = Date.now();
    expect(await deliver('user.updated', at(now, 'new'))).toEqual([200, { received: true, outcome: 'saved' }]);
    expect(await deliver('user.updated', at(now - 1000, 'old'))).toEqual([200, { received: true, outcome: 'ignored' }]);
    expect(await kept(person.id)).toMatchObject([{ avatar_url: 'https://img.clerk.com/new.png' }]);
  });

  it('C-108 TRUST-28 a late event does not restore the data of a deleted account', async () => {
    const person = await signIn();
    await deliver('user.deleted', { id: person.id, deleted: true });
    const late = {
      id: person.id,
      updated_at: Date.now(),
      has_image: true,
      image_url: 'https://img.clerk.com/robin.png',
    };
    expect(await deliver('user.updated', late)).toEqual([200, { received: true, outcome: 'ignored' }]);
    expect(await kept(person.id)).toEqual([{ avatar_url: null, verified_socials: {} }]);
  });

  it('C-65 a changed address counts once it is verified, without a visit; late and repeated events change nothing', async () => {
    const person = await signIn();
    const post = async (address: string, { status = 'verified', at = Date.now() + 1_000 } = {}) => {
      const body = JSON.stringify({
        type: 'user.updated',
        data: {
          id: person.id,
          updated_at: at,
          primary_email_address_id: 'idn_2',
          email_addresses: [
            { id: 'idn_1', email_address: person.email, verification: { status: 'verified' } },
            { id: 'idn_2', email_address: address, verification: status ? { status } : null },
          ],
        },
      });
      const response = await fetch(`${SUPABASE_URL}/functions/v1/clerk-webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...svixHeaders(body, STACK_SECRET) },
        body,
      });
      const stored = await sql().query('select email from public.user_profiles where user_id = $1', [person.id]);
      return [((await response.json()) as { outcome: string }).outcome, stored.rows[0]?.email];
    };
    const [next, last] = [`next-${person.email}`, `last-${person.email}`];
    expect(await post(next.toUpperCase(), { status: 'unverified' })).toEqual(['ignored', person.email]);
    expect(await post(next.toUpperCase())).toEqual(['address_changed', next]);
    expect(await post(next)).toEqual(['ignored', next]);
    expect(await post(last, { at: Date.now() - 60_000 })).toEqual(['ignored', next]);
    expect(await post(last)).toEqual(['address_changed', last]);
  });

  it('C-65 an address that was changed while an earlier change was still on its way counts as well', async () => {
    const person = await signIn();
    const next = `next-${person.email}`;
    const changedAt = Date.now();
    const report = async (address: string, updated_at: number) => {
      const addresses = [{ id: 'idn_1', email_address: address, verification: { status: 'verified' } }];
      await deliver('user.updated', {
        id: person.id,
        updated_at,
        primary_email_address_id: 'idn_1',
        email_addresses: addresses,
      });
      const { rows } = await sql().query('select email from public.user_profiles where user_id = $1', [person.id]);
      return rows;
    };
    expect(await report(person.email, changedAt)).toEqual([{ email: person.email }]);
    expect(await report(next, changedAt + 1)).toEqual([{ email: next }]);
    expect(await report(person.email, changedAt)).toEqual([{ email: next }]);
  });

  it('C-81 a new address adds a mailbox to the same person', async () => {
    const person = await signIn();
    const address = `other-${person.email}`;
    const args = [person.id, address, new Date(Date.now() + 1_000)];
    await sql().query('select public.record_changed_email($1, $2, $3)', args);
    const { rows } = await sql().query(
      'select count(*)::integer as mailboxes from private.known_mailboxes where user_id = $1',
      [person.id],
    );
    expect(rows).toEqual([{ mailboxes: 2 }]);
  });

  it('a person without an address gets the first one on the next visit, not by an event', async () => {
    const person = await signIn();
    await sql().query('update public.user_profiles set email = null where user_id = $1', [person.id]);
    const { rows } = await sql().query(
      "select public.record_changed_email($1, $2, now() + interval '1 minute') as is_new",
      [person.id, person.email],
    );
    expect(rows).toEqual([{ is_new: false }]);
    const stored = async () =>
      (await sql().query('select email from public.user_profiles where user_id = $1', [person.id])).rows;
    expect(await stored()).toEqual([{ email: null }]);
    expect((await person.post('/rest/v1/rpc/sync_current_user', {})).status).toBe(200);
    expect(await stored()).toEqual([{ email: person.email }]);
  });
});
