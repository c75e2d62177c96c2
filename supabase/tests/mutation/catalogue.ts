import pg from 'pg';
import { readSchemaFiles, type SchemaFile } from '../../../local/database/schema-files.ts';
import { nameOf } from './call-graph.ts';
import { codeMutants } from './code-mutants.ts';
import { hashOf } from './test-files.ts';

/** One mutated version of the database. */
export interface Mutant {
  /** What was mutated: `function private.transfer(…)`, `trigger x on y`, `constraint x on y`, `index x`. */
  target: string;
  change: string;
  sql: string;
  /** Restores the original. */
  undo: string;
  /** The function or table that a test has to reach in order to notice: `function …` or `table …`. */
  reachedBy: string;
  /** The schema file that declares it. */
  domain: string;
  /** Unchanged as long as neither the original nor the mutation changes. */
  key: string;
}

type Draft = Omit<Mutant, 'key' | 'domain'> & { original: string };

/** Every mutant of the functions, triggers, constraints and indexes. */
export async function codeMutantsOf(client: pg.ClientBase): Promise<Mutant[]> {
  const drafts = [
    ...(await functionMutants(client)),
    ...(await triggerMutants(client)),
    ...(await constraintMutants(client)),
    ...(await indexMutants(client)),
  ];
  const domains = declaredIn(readSchemaFiles());
  const mutants = drafts.map(({ original, ...mutant }) => ({
    ...mutant,
    domain: domains.get(nameOf(mutant.reachedBy)) ?? 'elsewhere',
    key: hashOf(original, mutant.sql),
  }));
  const valid: Mutant[] = [];
  for (const mutant of mutants) if (await isAccepted(client, mutant.sql)) valid.push(mutant);
  return valid;
}

/** The schema file that declares each function and table, by its name. */
function declaredIn(files: SchemaFile[]): Map<string, string> {
  const declaration = /^create (?:or replace )?(?:function|table) (?:public|private)\.(\w+)/gm;
  return new Map(
    files.flatMap(({ file, sql }) => [...sql.matchAll(declaration)].map(([, name = '']) => [name, file] as const)),
  );
}

/** What the database itself refuses to define is not a mutant. */
async function isAccepted(client: pg.ClientBase, statement: string): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return false;
    throw error;
  } finally {
    await client.query('rollback');
  }
}

async function functionMutants(client: pg.ClientBase): Promise<Draft[]> {
  const { rows } = await client.query<{ name: string; language: 'sql' | 'plpgsql'; definition: string; body: string }>(`
    select p.oid::regprocedure::text as name, l.lanname as language, pg_get_functiondef(p.oid) as definition, p.prosrc as body
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and l.lanname in ('sql', 'plpgsql') order by 1`);
  return rows.flatMap(({ name, language, definition, body }) => {
    const target = `function ${name}`;
    const header = definition.slice(0, definition.lastIndexOf('AS $'));
    return codeMutants(body, language).map(({ change, code }) => ({
      target,
      change,
      sql: `${header}as $mutant$${code}$mutant$`,
      undo: definition,
      reachedBy: target,
      original: definition,
    }));
  });
}

async function triggerMutants(client: pg.ClientBase): Promise<Draft[]> {
  const { rows } = await client.query<{ name: string; table: string; definition: string }>(`
    select t.tgname as name, t.tgrelid::regclass::text as table, pg_get_triggerdef(t.oid) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) order by 1, 2`);
  return rows.flatMap(({ name, table, definition }) => {
    const mutant = {
      target: `trigger ${name} on ${table}`,
      reachedBy: `table ${table}`,
      original: definition,
    };
    const drop = `drop trigger ${name} on ${table}`;
    const condition = / WHEN (\(.*\)) EXECUTE/s.exec(definition)?.[1];
    const loosened = condition === undefined ? [] : codeMutants(condition, 'sql');
    return [
      { ...mutant, change: 'dropped', sql: drop, undo: definition },
      ...loosened.map(({ change, code }) => ({
        ...mutant,
        undo: `${drop}; ${definition}`,
        change: `when: ${withoutLine(change)}`,
        sql: `${drop}; ${definition.replace(condition ?? '', () => code)}`,
      })),
    ];
  });
}

async function constraintMutants(client: pg.ClientBase): Promise<Draft[]> {
  const { rows } = await client.query<{ name: string; table: string; type: string; definition: string }>(`
    select o.conname as name, o.conrelid::regclass::text as table, o.contype as type, pg_get_constraintdef(o.oid) as definition
    from pg_constraint o where o.contype in ('c', 'u') and o.conrelid <> 0
      and o.connamespace in ('public'::regnamespace, 'private'::regnamespace) order by 2, 1`);
  return rows.flatMap(({ name, table, type, definition }) => {
    const mutant = {
      target: `constraint ${name} on ${table}`,
      reachedBy: `table ${table}`,
      original: definition,
    };
    const drop = `alter table ${table} drop constraint ${name}`;
    const restore = `alter table ${table} add constraint ${name} ${definition}${type === 'c' ? ' not valid' : ''}`;
    const loosened = type === 'c' ? codeMutants(definition.slice('CHECK '.length), 'sql') : [];
    return [
      { ...mutant, change: 'dropped', sql: drop, undo: restore },
      ...loosened.map(({ change, code }) => ({
        ...mutant,
        undo: `${drop}; ${restore}`,
        change: withoutLine(change),
        sql: `${drop}; alter table ${table} add constraint ${name} check ${code} not valid`,
      })),
    ];
  });
}

async function indexMutants(client: pg.ClientBase): Promise<Draft[]> {
  const { rows } = await client.query<{ name: string; table: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid)
      and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) order by 1`);
  return rows.map(({ name, table, definition }) => ({
    target: `index ${name}`,
    change: 'dropped',
    sql: `drop index ${name}`,
    undo: definition,
    reachedBy: `table ${table}`,
    original: definition,
  }));
}

/** Line numbers mean nothing in an expression. */
const withoutLine = (change: string): string => change.replace(/^line \d+: /, '');
