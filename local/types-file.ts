import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { withClient } from './database/connection.ts';
import { PROJECT_ROOT, program } from './paths.ts';
import { messageOf, UserError } from './process/user-error.ts';

/** Below the project's root. Generated, never edited. */
export const TYPES_FILE = 'src/types/database.ts';

/** TypeScript types of the schema public, made by the official CLI and formatted like the rest of the code. */
export async function generateTypes(databaseUrl: string): Promise<string> {
  const types = formatTypeScript(await runCli(databaseUrl));
  const views = tightenViews(types, await requiredViewColumns(databaseUrl));
  return formatTypeScript(loosenFunctions(views, await nullableResultColumns(databaseUrl)));
}

async function runCli(databaseUrl: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      program('supabase'),
      ['gen', 'types', 'typescript', `--remote=${databaseUrl}?sslmode=disable`, '--schema', 'public'],
      // The CLI reads supabase/config.toml, which wants a Clerk host, even where it asks only the database.
      { cwd: PROJECT_ROOT, env: { CLERK_DOMAIN: 'clerk.example.com', ...process.env, DO_NOT_TRACK: '1' } },
    );
    return stdout;
  } catch (error) {
    throw new UserError(`The official CLI could not generate the types: ${messageOf(error)}`);
  }
}

/** Source as Biome writes it. It is told another file name, because it leaves generated files themselves alone. */
export function formatTypeScript(source: string): string {
  const args = ['format', '--stdin-file-path=src/types/generated.ts'];
  return execFileSync(program('biome'), args, { cwd: PROJECT_ROOT, input: source, encoding: 'utf8' });
}

/**
 * Columns of views that are never null, as "view.column": they show a column of a table that is never null, and the
 * view has inner joins only. The official CLI treats every column of a view as nullable.
 */
async function requiredViewColumns(databaseUrl: string): Promise<Set<string>> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ name: string }>(`
      select distinct v.relname || '.' || shown.attname as name
      from pg_class v
      join pg_attribute shown on shown.attrelid = v.oid and shown.attnum > 0
      join pg_rewrite r on r.ev_class = v.oid
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
      join pg_attribute source on source.attrelid = d.refobjid and source.attnum = d.refobjsubid and source.attname = shown.attname
      where v.relnamespace = 'public'::regnamespace and v.relkind = 'v' and source.attrelid <> v.oid and source.attnotnull
        and pg_get_viewdef(v.oid) !~* '\\m(left|right|full|union)\\M'`),
  );
  return new Set(rows.map(({ name }) => name));
}

function tightenViews(types: string, required: Set<string>): string {
  let view = '';
  let isView = false;
  const lines = types.split('\n').map((line) => {
    if (/^ {4}\w+: \{$/.test(line)) isView = line === '    Views: {';
    view = /^ {6}(\w+): \{$/.exec(line)?.[1] ?? view;
    const column = /^ {10}(\w+): .* \| null;$/.exec(line)?.[1];
    return isView && required.has(`${view}.${column}`) ? line.replace(' | null;', ';') : line;
  });
  return lines.join('\n');
}

/**
 * Columns of a function's result that may be null, by function: its comment lists them after "Nullable:". The official
 * CLI treats every column of `returns table` as not null.
 */
async function nullableResultColumns(databaseUrl: string): Promise<Map<string, string[]>> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ name: string; columns: string }>(`
      select p.proname as name, (regexp_match(obj_description(p.oid, 'pg_proc'), 'Nullable: ([a-z_, ]+)\\.'))[1] as columns
      from pg_proc p where p.pronamespace = 'public'::regnamespace and obj_description(p.oid, 'pg_proc') like '%Nullable: %'`),
  );
  return new Map(rows.map(({ name, columns }) => [name, columns.split(', ')]));
}

function loosenFunctions(types: string, nullable: Map<string, string[]>): string {
  let result = types;
  for (const [name, columns] of nullable) {
    const start = result.indexOf(`\n      ${name}: {\n`, result.indexOf('\n    Functions: {'));
    const returns = result.indexOf('Returns: {', start);
    const end = result.indexOf('}[]', returns);
    if (start < 0 || returns < 0 || end < 0) throw new UserError(`The types know no rows of ${name}.`);
    const row = columns.reduce(
      (text, column) => {
        const loosened = text.replace(new RegExp(`(?<=\\b${column}: )([^;]+?)(?=;|\\s*$)`), '$1 | null');
        if (loosened === text)
          throw new UserError(`${name} returns no column ${column}, which its comment calls nullable.`);
        return loosened;
      },
      result.slice(returns, end),
    );
    result = result.slice(0, returns) + row + result.slice(end);
  }
  return result;
}
