import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RELEASED_SEED_FILE, SEED_FILE } from '../paths.ts';
import { compareCatalogues, readCatalogue } from './catalogue.ts';
import { withClient } from './connection.ts';
import { applyMigrations, fileNameOf, readMigrations, readReleased, releaseProblems } from './migrations.ts';
import { diffSchemas } from './schema-diff.ts';
import { applySchemaFiles, baselineSql, readSchemaFiles } from './schema-files.ts';
import { withScratchDatabases } from './scratch-databases.ts';

/** A change of each kind of object, and what the comparison reports for it. */
const CHANGES: [string, string][] = [
  ['create table public.extra (id integer)', '+ relation r public.extra'],
  ['drop table public.metrics_events', '- relation r public.metrics_events'],
  ['alter table public.tasks disable row level security', '~ relation r public.tasks: rls true -> false'],
  ['grant insert on public.tasks to anon', '~ relation r public.tasks: acl'],
  ['grant update (title) on public.tasks to anon', '~ column public.tasks.title: acl'],
  ['alter table public.tasks alter title drop not null', '~ column public.tasks.title: not null true -> false'],
  ['alter table public.audit_log alter note type varchar', '~ column public.audit_log.note: type'],
  ['alter table public.tasks alter requires_proof set default false', '~ column public.tasks.requires_proof: default'],
  ['comment on column public.tasks.auto_verify is null', '~ column public.tasks.auto_verify: comment'],
  ["comment on table public.tasks is 'Else.'", '~ relation r public.tasks: comment'],
  ['alter table public.tasks drop constraint tasks_title_check', '- constraint public.tasks.tasks_title_check'],
  ['drop index public.tasks_campaign', '- index public.tasks_campaign'],
  ['drop trigger audit_log_append_only on public.audit_log', '- trigger public.audit_log.audit_log_append_only'],
  [
    'alter table public.audit_log disable trigger audit_log_append_only',
    '~ trigger public.audit_log.audit_log_append_only: enabled',
  ],
  ['alter policy tasks_read on public.tasks using (true)', '~ policy public.tasks.tasks_read: using'],
  ['alter policy tasks_read on public.tasks to anon', '~ policy public.tasks.tasks_read: roles'],
  ['drop policy proofs_read on storage.objects', '- policy storage.objects.proofs_read'],
  ['alter function private.is_admin() security invoker', '~ function private.is_admin(): definition'],
  ['revoke execute on function private.is_admin() from anon', '~ function private.is_admin(): acl'],
  ['comment on function private.is_admin() is null', '~ function private.is_admin(): comment'],
  ["alter type public.task_type rename value 'visit' to 'see'", '~ type public.task_type: labels'],
  ['alter table public.transfers alter id set increment by 2', '~ sequence public.transfers_id_seq: seqincrement'],
  ['grant create on schema private to anon', '~ schema private: acl'],
  [
    'alter default privileges in schema public grant select on tables to anon',
    '~ default privileges postgres public r: acl',
  ],
  ['create extension citext with schema extensions', '+ extension citext'],
  ['update storage.buckets set public = true', '~ rows of storage.buckets: rows'],
];

/**
 * Groups the changes into as few rounds as possible, each changing different objects, so that every reported line
 * belongs to one change.
 */
function inRounds(): [string, string][][] {
  const objectOf = (expected: string) => expected.slice(2).split(':', 1)[0];
  const rounds: [string, string][][] = [];
  for (const change of CHANGES) {
    const free = rounds.find((round) => round.every(([, other]) => objectOf(other) !== objectOf(change[1])));
    if (free) free.push(change);
    else rounds.push([change]);
  }
  return rounds;
}

it('the migrations and the schema files make the same database, and the comparison sees every kind of change', () =>
  withScratchDatabases(
    {
      migrated: (client) => applyMigrations(client, readMigrations()),
      declared: (client) => applySchemaFiles(client, readSchemaFiles()),
    },
    async ({ migrated, declared }) => {
      const before = await withClient(declared, readCatalogue);
      expect(compareCatalogues(await withClient(migrated, readCatalogue), before)).toEqual([]);
      expect((await diffSchemas(migrated, declared)).steps).toEqual([]);

      for (const changes of inRounds()) {
        const seen = await withClient(declared, async (client) => {
          await client.query('begin');
          for (const [sql] of changes) await client.query(sql);
          return compareCatalogues(before, await readCatalogue(client));
        });
        for (const [sql, expected] of changes) expect(seen, sql).toContainEqual(expect.stringContaining(expected));
      }
    },
  ));

it('until it is released, the baseline equals the schema files in order', () => {
  const [baseline] = readMigrations();
  if (!baseline) throw new Error('There is no migration.');
  const isReleased = fileNameOf(baseline) in readReleased();
  expect(isReleased || baseline.sql === baselineSql(readSchemaFiles()), 'run npm run db:baseline').toBe(true);
});

it('no released migration was edited, removed or preceded by a new one', () => {
  expect(releaseProblems(readMigrations(), readReleased())).toEqual([]);

  const migration = (version: string, hash: string) => ({ version, name: 'x', sql: '', hash });
  const released = { '1_x.sql': 'a', '3_x.sql': 'b' };
  const untouched = [migration('1', 'a'), migration('3', 'b'), migration('4', 'c')];
  expect(releaseProblems(untouched, released)).toEqual([]);
  expect(releaseProblems([migration('1', 'edited'), migration('2', 'late')], released)).toEqual([
    '1_x.sql is released and was edited',
    '3_x.sql is released and missing',
    '2_x.sql comes before 3_x.sql, which is released',
  ]);
});

it('a seeded database of the last release upgrades to the current schema with balanced books', () => {
  const migrations = readMigrations();
  const released = migrations.filter((migration) => fileNameOf(migration) in readReleased());
  // Before the first release there is only the baseline to start from.
  const start = released.length > 0 ? released : migrations.slice(0, 1);
  const seed = readFileSync(existsSync(RELEASED_SEED_FILE) ? RELEASED_SEED_FILE : SEED_FILE, 'utf8');
  return withScratchDatabases(
    {
      upgraded: async (client) => {
        await applyMigrations(client, start);
        await client.query(seed);
        await applyMigrations(client, migrations.slice(start.length));
      },
    },
    ({ upgraded }) =>
      withClient(upgraded, async (client) => {
        const { rows } = await client.query('select count(*)::integer as wallets from public.wallets');
        expect(rows[0].wallets).toBeGreaterThan(0);
        expect((await client.query('select * from public.reconcile_ledger()')).rows).toEqual([]);
      }),
  );
});
