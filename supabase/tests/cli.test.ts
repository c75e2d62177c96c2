import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMigrations } from '../../local/database/migrations.ts';
import { PROJECT_ROOT } from '../../local/paths.ts';
import { generateTypes, TYPES_FILE } from '../../local/types-file.ts';
import { advise, readConfig, supabaseCli } from './support/cli.ts';
import { createEmptyDatabase, type EmptyDatabase } from './support/empty-database.ts';

const TIMEOUT = 120_000;

let database: EmptyDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await supabaseCli('db', 'push', `--remote=${database.url}?sslmode=disable`, '--yes');
}, TIMEOUT);

afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('the official CLI', () => {
  test(
    'applies every migration to an empty database, and then has nothing left to apply',
    async () => {
      const { rows } = await client.query(
        'select version, name from supabase_migrations.schema_migrations order by version',
      );
      expect(rows).toEqual(readMigrations().map(({ version, name }) => ({ version, name })));
      const again = await supabaseCli('db', 'push', `--remote=${database.url}?sslmode=disable`, '--yes', '--dry-run');
      expect(again).not.toContain(rows[0]?.version);
    },
    TIMEOUT,
  );

  test(
    'reads config.toml with the .env of deploy.md, and names what is missing without it',
    async () => {
      expect(await readConfig(database.url, '.env.example')).toContain('up to date');
      await expect(readConfig(database.url, null)).rejects.toThrow('auth.third_party.clerk has invalid domain');
    },
    TIMEOUT,
  );

  test(
    'generates the committed types from it',
    async () => {
      const committed = readFileSync(join(PROJECT_ROOT, TYPES_FILE), 'utf8');
      expect(await generateTypes(database.url), 'run npm run types and commit it').toBe(committed);
    },
    TIMEOUT,
  );
});

/** Accepted findings by kind, with the reason; where the list is closed, it names the tables, indexes or functions. */
const ALLOWED: Record<string, string> = {
  unused_index: 'An empty database has used none; plans.test.ts shows which statement uses which.',
};

describe("the platform's advisors", () => {
  test(
    'C-64 report only the findings accepted here',
    async () => {
      const found = await advise(database.url);
      expect(found.filter((finding) => !ALLOWED[finding.name])).toEqual([]);
    },
    TIMEOUT,
  );

  test(
    'C-64 control: report a planted table without row level security',
    async () => {
      await client.query('create table public.planted (id integer); grant select on public.planted to anon');
      const names = (await advise(database.url))
        .filter(({ detail }) => detail.includes('planted'))
        .map(({ name }) => name);
      expect(names).toContain('rls_disabled_in_public');
      await client.query('drop table public.planted');
    },
    TIMEOUT,
  );
});
