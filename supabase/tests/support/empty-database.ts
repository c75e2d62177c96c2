import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { BOOTSTRAP_FILE } from '../../../local/paths.ts';
import { testEnv } from '../../../local/testing/clients.ts';

export interface EmptyDatabase {
  /** As role postgres. */
  url: string;
  drop(): Promise<void>;
}

/** A database like a hosted project's before the first migration, on the same server as the one under test. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const name = `empty_${randomUUID().slice(0, 8)}`;
  // A database is copied only while nobody is connected to it. Other test files are copying `postgres` through a connection to `template1`.
  await asSuperuser('template1', `create database ${name} template template0 owner postgres`);
  // The roles belong to the server and exist already.
  const bootstrap = readFileSync(BOOTSTRAP_FILE, 'utf8');
  await asSuperuser(name, bootstrap.slice(bootstrap.indexOf('-- Schema public ---')));
  // The platform configures which schemas are exposed; without that, most advisors find nothing.
  await asSuperuser(name, `alter role authenticator in database ${name} set pgrst.db_schemas = 'public'`);
  return {
    url: databaseUrl(testEnv().DATABASE_URL, name),
    drop: () => asSuperuser('template1', `drop database ${name} with (force)`),
  };
}

async function asSuperuser(database: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(testEnv().ADMIN_DATABASE_URL, database) });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
