import pg from 'pg';
import { BLIND_UPDATES, type Cell, INSERT_CANDIDATES, type TableAccess } from './declared.ts';
import { keyOf, labelsOf } from './fixture.ts';
import { actingAs, PERSONA_NAMES, type PersonaName, roleOf } from './personas.ts';

export const VERBS = ['select', 'insert', 'update', 'delete'] as const;
type Verb = (typeof VERBS)[number];
type BlindVerb = 'update' | 'delete';

/** Tries every verb as every persona on the rows of the fixture, inside the open transaction. */
export async function evaluateTable(client: pg.ClientBase, table: string): Promise<TableAccess> {
  const cells = {} as Record<Verb, Record<PersonaName, Cell>>;
  for (const verb of VERBS) {
    const row = {} as Record<PersonaName, Cell>;
    for (const persona of PERSONA_NAMES) row[persona] = await evaluateCell(client, table, verb, persona);
    cells[verb] = row;
  }
  const hidden = {
    anon: await hiddenColumns(client, table, 'anon'),
    authenticated: await hiddenColumns(client, table, 'authenticated'),
  };
  return { ...cells, hidden };
}

async function evaluateCell(client: pg.ClientBase, table: string, verb: Verb, persona: PersonaName): Promise<Cell> {
  if (!(await hasPrivilege(client, table, verb, roleOf(persona)))) return 'denied';
  if (verb === 'delete' || verb === 'update') return touchedRows(client, table, verb, persona);
  const candidates = verb === 'insert' ? Object.keys(INSERT_CANDIDATES[table] ?? { any: '' }) : labelsOf(table);
  const allowed: string[] = [];
  for (const label of candidates) {
    const run = () => (verb === 'insert' ? inserts(client, table, label) : sees(client, table, label));
    if (await actingAs(client, persona, run)) allowed.push(label);
  }
  return allowed;
}

const sees = async (client: pg.ClientBase, table: string, label: string): Promise<boolean> =>
  (await client.query(`select id from ${table} where id = $1`, [keyOf(table, label)])).rowCount === 1;

async function inserts(client: pg.ClientBase, table: string, label: string): Promise<boolean> {
  const values = INSERT_CANDIDATES[table]?.[label] ?? 'default values';
  return (await attempt(client, `insert into ${table} ${values}`)) !== 'refused';
}

/**
 * Rows deleted or updated by a statement without a where clause: it reads no column, so the select policies do not
 * apply and only the verb's own policies decide.
 */
async function touchedRows(
  client: pg.ClientBase,
  table: string,
  verb: BlindVerb,
  persona: PersonaName,
): Promise<string[]> {
  const changes = verb === 'delete' ? { '': '' } : (BLIND_UPDATES[table] ?? {});
  const touched: string[] = [];
  for (const [suffix, change] of Object.entries(changes)) {
    const before = await rowPlaces(client, table);
    const after = await actingAs(client, persona, async () => {
      // Disables the platform's trigger against direct deletes of storage objects; only the policies are tested here.
      await client.query("select set_config('storage.allow_delete_query', 'true', true)");
      const statement = verb === 'delete' ? `delete from ${table}` : `update ${table} set ${change}`;
      const outcome = await attempt(client, statement);
      if (outcome === 'refused') return before;
      // Stopped by a foreign key or check constraint, so the statement had reached the rows.
      if (outcome === 'stopped') return new Map<string, string>();
      await client.query("select set_config('role', 'none', true)");
      return rowPlaces(client, table);
    });
    for (const label of labelsOf(table)) {
      const id = String(keyOf(table, label));
      if (before.get(id) !== after.get(id)) touched.push(label + suffix);
    }
  }
  return touched;
}

/** The ctid of each row by key; an update changes it. */
async function rowPlaces(client: pg.ClientBase, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; place: string }>(
    `select id::text, ctid::text as place from ${table}`,
  );
  return new Map(rows.map((row) => [row.id, row.place]));
}

/** Runs a statement: denied by a privilege or policy, stopped later by a constraint, or successful. */
async function attempt(client: pg.ClientBase, statement: string): Promise<'done' | 'refused' | 'stopped'> {
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') return 'refused';
    if (error instanceof pg.DatabaseError && error.code?.startsWith('23')) return 'stopped';
    throw error;
  }
}

/** A no-op update of one row, by key. */
export async function updateOf(client: pg.ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and attidentity = '' and attgenerated = '' order by attnum limit 1`,
    [table],
  );
  const column = rows[0]?.name;
  return `update ${table} set ${column} = ${column} where id = $1`;
}

/** Whether the privilege is held on the table or on any of its columns. */
async function hasPrivilege(client: pg.ClientBase, table: string, verb: Verb, role: string): Promise<boolean> {
  const check = verb === 'delete' ? 'has_table_privilege' : 'has_any_column_privilege';
  const { rows } = await client.query<{ allowed: boolean }>(`select ${check}($1, $2, $3) as allowed`, [
    role,
    table,
    verb,
  ]);
  return rows[0]?.allowed ?? false;
}

async function hiddenColumns(client: pg.ClientBase, table: string, role: string): Promise<string[]> {
  if (!(await hasPrivilege(client, table, 'select', role))) return [];
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and not has_column_privilege($2, $1, attname, 'select') order by attname`,
    [table, role],
  );
  return rows.map((row) => row.name);
}

/** A declared table in the shape of an evaluated one. */
export const withHidden = (access: TableAccess): TableAccess => ({
  ...access,
  hidden: { anon: access.hidden?.anon ?? [], authenticated: access.hidden?.authenticated ?? [] },
});

/** Every table that the API exposes, and the storage objects. */
export async function exposedTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`);
  return [...rows.map((row) => row.name), 'storage.objects'];
}
