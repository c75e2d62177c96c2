import type pg from 'pg';
import { splitTopLevel } from './expression.ts';

export interface AccessMutant {
  /** What was mutated: a policy, a table, a function. */
  target: string;
  change: string;
  sql: string;
}

interface Policy {
  table: string;
  name: string;
  cmd: string;
  roles: string[];
  qual: string | null;
  with_check: string | null;
}

/** Every mutant of the access rules, one at a time. */
export async function listAccessMutants(client: pg.ClientBase): Promise<AccessMutant[]> {
  return [
    ...(await policyMutants(client)),
    ...(await tableMutants(client)),
    ...(await functionMutants(client)),
    ...HELPERS,
  ];
}

async function policyMutants(client: pg.ClientBase): Promise<AccessMutant[]> {
  const { rows } = await client.query<Policy>(`
    select schemaname || '.' || tablename as table, policyname as name, cmd, roles::text[] as roles, qual, with_check
    from pg_policies where schemaname in ('public', 'storage') order by 1, 2`);
  return rows.flatMap((policy) => {
    const target = `policy ${policy.name} on ${policy.table}`;
    const alter = `alter policy ${policy.name} on ${policy.table}`;
    const replace = (condition: string) =>
      ({
        INSERT: `${alter} with check (${condition})`,
        UPDATE: `${alter} using (${condition}) with check (${condition})`,
      })[policy.cmd] ?? `${alter} using (${condition})`;
    const expression = (policy.cmd === 'INSERT' ? policy.with_check : policy.qual) ?? 'true';
    const mutants: AccessMutant[] = [
      { target, change: 'dropped', sql: `drop policy ${policy.name} on ${policy.table}` },
      { target, change: 'always true', sql: replace('true') },
      { target, change: 'always false', sql: replace('false') },
    ];
    if (policy.cmd === 'UPDATE') {
      mutants.push({ target, change: 'any new value', sql: `${alter} with check (true)` });
    }
    for (const word of ['OR', 'AND'] as const) {
      const terms = splitTopLevel(expression, word);
      if (terms.length < 2) continue;
      for (const [index, term] of terms.entries()) {
        const rest = terms.filter((_, other) => other !== index).join(` ${word} `);
        mutants.push({ target, change: `without "${shorten(term)}"`, sql: replace(rest) });
      }
    }
    if (!policy.roles.includes('authenticated')) {
      mutants.push({ target, change: 'for signed-in people too', sql: `${alter} to public` });
    }
    return mutants;
  });
}

/** Row level security off; any verb granted to either role, with and without a policy that allows it. */
async function tableMutants(client: pg.ClientBase): Promise<AccessMutant[]> {
  const { rows } = await client.query<{ table: string; is_open: boolean }>(`
    select 'public.' || relname as table, has_table_privilege('anon', oid, 'select') and has_table_privilege('authenticated', oid, 'select') as is_open
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`);
  return rows.flatMap(({ table, is_open: isOpen }) => {
    const target = `table ${table}`;
    const mutants: AccessMutant[] = [
      { target, change: 'no row level security', sql: `alter table ${table} disable row level security` },
      {
        target,
        change: 'a second policy that lets everybody read',
        sql: `create policy mutant on ${table} for select to anon, authenticated using (true)`,
      },
    ];
    if (!isOpen) {
      mutants.push({ target, change: 'every column readable', sql: `grant select on ${table} to anon, authenticated` });
    }
    for (const verb of ['insert', 'update', 'delete']) {
      mutants.push({
        target,
        change: `${verb} for signed-in people`,
        sql: `grant ${verb} on ${table} to authenticated; create policy mutant on ${table} for ${verb} to authenticated ${verb === 'insert' ? 'with check' : 'using'} (true)`,
      });
    }
    return mutants;
  });
}

/** Each procedure granted to one more role than it should be. */
async function functionMutants(client: pg.ClientBase): Promise<AccessMutant[]> {
  const { rows } = await client.query<{ name: string; anon: boolean; authenticated: boolean }>(`
    select p.oid::regprocedure::text as name, has_function_privilege('anon', p.oid, 'execute') as anon,
      has_function_privilege('authenticated', p.oid, 'execute') as authenticated
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype order by 1`);
  return rows
    .filter((row) => !row.anon)
    .map((row) => ({
      target: `function ${row.name}`,
      change: row.authenticated ? 'executable by visitors' : 'executable by signed-in people',
      sql: `grant execute on function ${row.name} to ${row.authenticated ? 'anon' : 'authenticated'}`,
    }));
}

const helper = (signature: string, language: string, body: string, change: string): AccessMutant => ({
  target: `function ${signature}`,
  change,
  sql: `create or replace function ${signature} language ${language} stable security definer set search_path = '' as $mutant$ ${body} $mutant$`,
});

/** Wrong answers of the functions that policies call. */
const HELPERS: AccessMutant[] = [
  helper('private.is_admin() returns boolean', 'sql', 'select true', 'everybody is admin'),
  helper('private.is_admin() returns boolean', 'sql', 'select false', 'nobody is admin'),
  helper(
    'private.own_startup_ids() returns setof uuid',
    'sql',
    'select id from public.startup_profiles',
    'all projects',
  ),
  helper('private.own_startup_ids() returns setof uuid', 'sql', 'select null::uuid', 'no project'),
  helper('private.own_campaign_ids() returns setof uuid', 'sql', 'select id from public.campaigns', 'all quests'),
  helper('private.own_campaign_ids() returns setof uuid', 'sql', 'select null::uuid', 'no quest'),
  helper('private.own_wallet_ids() returns setof uuid', 'sql', 'select id from public.wallets', 'all wallets'),
  helper('private.own_wallet_ids() returns setof uuid', 'sql', 'select null::uuid', 'no wallet'),
  helper('private.has_participated(p_campaign_id uuid) returns boolean', 'sql', 'select true', 'in every quest'),
  helper('private.has_participated(p_campaign_id uuid) returns boolean', 'sql', 'select false', 'in no quest'),
  helper('private.is_in_good_standing() returns boolean', 'sql', 'select true', 'nobody is suspended'),
  helper('private.is_in_good_standing() returns boolean', 'sql', 'select false', 'everybody is suspended'),
  helper(
    'private.is_admin_in_good_standing() returns boolean',
    'sql',
    'select true',
    'everybody is an admin in good standing',
  ),
  helper('private.is_admin_in_good_standing() returns boolean', 'sql', 'select false', 'no admin is in good standing'),
  helper('private.may_upload(p_bucket text) returns boolean', 'sql', 'select true', 'everybody may upload'),
  helper('private.may_upload(p_bucket text) returns boolean', 'sql', 'select false', 'nobody may upload'),
  helper(
    'private.is_allowed_type(p_bucket text, p_metadata jsonb) returns boolean',
    'sql',
    'select true',
    'any type may be uploaded',
  ),
  helper(
    'private.is_allowed_type(p_bucket text, p_metadata jsonb) returns boolean',
    'sql',
    'select false',
    'no type may be uploaded',
  ),
  helper('private.is_logo_shown(p_name text) returns boolean', 'sql', 'select true', 'every logo is shown'),
  helper('private.is_logo_shown(p_name text) returns boolean', 'sql', 'select false', 'no logo is shown'),
];

const shorten = (term: string): string => (term.length > 90 ? `${term.slice(0, 87)}...` : term);
