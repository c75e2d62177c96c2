import type pg from 'pg';

/** Names of the procedures of the schema public by the roles that may execute them, from the system catalogue. */
export async function executableFunctions(client: Pick<pg.ClientBase, 'query'>): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ caller: string; names: string[] }>(`
    select case
        when has_function_privilege('anon', p.oid, 'execute') then 'anyone'
        when has_function_privilege('authenticated', p.oid, 'execute') then 'signedIn'
        when has_function_privilege('service_role', p.oid, 'execute') then 'serviceRole'
        else 'nobody' end as caller,
      array_agg(p.proname::text order by p.proname) as names
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype group by 1`);
  return Object.fromEntries(rows.map((row) => [row.caller, row.names]));
}
