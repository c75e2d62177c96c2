import { readMigrations } from '../database/migrations.ts';

/** What supabase/migrations leave behind in a database. */
export interface Expected {
  /** Versions, oldest first. */
  migrations: string[];
  /** `schema.table.policy`. */
  policies: string[];
  buckets: { id: string; isPublic: boolean; limit: number }[];
}

/** Read from the migrations themselves, so that a new policy or bucket is expected as soon as it is written. */
export function expectedDatabase(): Expected {
  const files = readMigrations();
  const sql = files.map((file) => file.sql).join('\n');
  const created = [...sql.matchAll(/^create policy (\w+) on (\w+)\.(\w+)/gm)];
  const dropped = new Set(
    [...sql.matchAll(/^drop policy (\w+) on (\w+\.\w+)/gm)].map(([, name, table]) => `${table}.${name}`),
  );
  const buckets = [...sql.matchAll(/^ {2}\('([\w-]+)', '\1', (true|false), (\d+),/gm)];
  return {
    migrations: files.map(({ version }) => version),
    policies: created
      .map(([, name, schema, table]) => `${schema}.${table}.${name}`)
      .filter((policy) => !dropped.has(policy))
      .sort(),
    buckets: buckets.map(([, id = '', isPublic, limit]) => ({
      id,
      isPublic: isPublic === 'true',
      limit: Number(limit),
    })),
  };
}
