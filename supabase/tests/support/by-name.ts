import { sql, type TestClient } from '../../../local/testing/clients.ts';
import type { Refusal } from './factories.ts';

/** Builds arguments for these procedures from the types in the system catalogue; `id` is used for every uuid. */
export async function argumentsOf(names: readonly string[], id: string): Promise<[string, Record<string, unknown>][]> {
  const values: Record<string, unknown> = {
    uuid: id,
    'uuid[]': [id],
    'text[]': ['x'],
    jsonb: {},
    integer: 1,
    bigint: 1,
    boolean: true,
  };
  const { rows } = await sql().query<{ name: string; args: string[] | null; types: string[] }>(
    `select p.proname as name, p.proargnames[1:p.pronargs] as args,
       array(select t::regtype::text from unnest(p.proargtypes) with ordinality as u(t, n) order by n) as types
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any($1)`,
    [names],
  );
  const found = new Set(rows.map(({ name }) => name));
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`no such procedures: ${missing.join(', ')}`);
  return rows.map(({ name, args, types }) => [
    name,
    Object.fromEntries((args ?? []).map((arg, index) => [arg, values[types[index] ?? ''] ?? 'x'])),
  ]);
}

/** Makes a call, whose name and arguments come from the catalogue, as the app does. Code and message are null on success. */
export async function callByName(client: TestClient, name: string, args: Record<string, unknown>) {
  type Answer = { status: number; error: { message: string; hint: string | null } | null };
  // Deliberately untyped: the types know only literal names.
  const rpc: (name: never, args: never) => PromiseLike<Answer> = client.rpc.bind(client);
  const { status, error } = await rpc(name as never, args as never);
  return { status, code: error?.hint ?? null, message: error?.message ?? null } satisfies Record<
    keyof Refusal,
    unknown
  >;
}
