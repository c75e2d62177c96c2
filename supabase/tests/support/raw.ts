import { sql, testEnv, tokenFor } from '../../../local/testing/clients.ts';
import type { Json } from '../../../src/types/database.ts';
import type { Member } from './factories.ts';

export interface RawAnswer {
  /** HTTP status. */
  status: number;
  /** Machine code (`hint`); null for refusals that are not the product's own. */
  hint: string | null;
  message: string | null;
  /** SQLSTATE or PostgREST's code. */
  code: string | null;
  body: unknown;
}

/** Signing a token for each of thousands of calls would take longer than the calls. */
const tokens = new WeakMap<Member, Promise<string>>();

function tokenOf(who: Member): Promise<string> {
  const token = tokens.get(who) ?? tokenFor(who, { claims: who.claims, ttlSeconds: 3600 });
  tokens.set(who, token);
  return token;
}

/** Calls a procedure over HTTP with arbitrary arguments, or with text in place of JSON, like somebody with curl. */
export async function rawCall(
  who: Member | 'visitor',
  name: string,
  args: Record<string, Json> | string,
): Promise<RawAnswer> {
  const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
  const headers: Record<string, string> = { apikey: SUPABASE_ANON_KEY, 'content-type': 'application/json' };
  if (who !== 'visitor') headers.authorization = `Bearer ${await tokenOf(who)}`;
  const response = await fetch(`${SUPABASE_URL}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers,
    body: typeof args === 'string' ? args : JSON.stringify(args),
  });
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  return {
    status: response.status,
    hint: field(body, 'hint'),
    message: field(body, 'message'),
    code: field(body, 'code'),
    body,
  };
}

function field(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : null;
}

/** Texts that break naive code: markup, SQL, unusual characters, wildcards, and one character too many for a proof. */
export const HOSTILE_TEXTS = [
  '',
  ' \n\t ',
  'x'.repeat(2001),
  "'; drop table public.wallets; --",
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '=HYPERLINK("https://example.com")',
  '%_\\',
  '../../etc/passwd',
  '\u202e\u0301\u{1f600}',
];

/** Not valid Unicode for Postgres, which has to refuse it without failing. */
export const NUL = 'a\u0000b';

export const HOSTILE_NUMBERS = [0, -1, 2_147_483_647, -2_147_483_648, 9_007_199_254_740_991, 1e300, 0.5];

const BOOKKEEPING = new Set([
  'private.address_keys',
  'private.rate_limits',
  'private.site_stats_cache',
  'private.write_windows',
]);

/** Fingerprint of everything that is stored, to show that a refused call has changed nothing. */
async function fingerprint(): Promise<string> {
  const { rows: tables } = await sql().query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'private', 'storage') order by 1`);
  const digests = tables
    .filter(({ name }) => !BOOKKEEPING.has(name))
    .map(
      ({ name }) =>
        `select '${name}', count(*), md5(string_agg(md5(t::text), '' order by md5(t::text))) from ${name} t`,
    );
  const { rows } = await sql().query(`${digests.join(' union all ')} order by 1`);
  return JSON.stringify(rows);
}

/** Fails when `run` leaves any trace in the database. */
export async function changesNothing<T>(run: () => Promise<T>): Promise<T> {
  const before = await fingerprint();
  const result = await run();
  if ((await fingerprint()) !== before) throw new Error('a refused call has changed the database');
  return result;
}

/** Runs with a database function that fails with an unexpected error. */
export async function withBroken<T>(signature: string, run: () => Promise<T>): Promise<T> {
  const { rows } = await sql().query<{ definition: string; header: string; language: string }>(
    `select pg_get_functiondef(p.oid) as definition, l.lanname as language
     from pg_proc p join pg_language l on l.oid = p.prolang where p.oid = $1::regprocedure`,
    [signature],
  );
  const definition = rows[0]?.definition ?? '';
  const header = definition.slice(0, definition.lastIndexOf('AS $')).replace(/LANGUAGE \w+/, 'LANGUAGE plpgsql');
  await sql().query(`${header} as $broken$ begin raise division_by_zero; end $broken$`);
  try {
    return await run();
  } finally {
    await sql().query(definition);
  }
}
