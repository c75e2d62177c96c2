import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SEED_FILE } from '../paths.ts';
import { startTraffic } from '../testing/traffic.ts';
import { withClient } from './connection.ts';
import { applyMigrations, readMigrations } from './migrations.ts';
import { withScratchDatabases } from './scratch-databases.ts';

const migration = (name: string, sql: string) => [{ version: `29990101_${name}`, name, sql, hash: '' }];

/** As in CONTRIBUTING.md: a column with a default, a new procedure, a replaced body, an index. */
const EXPAND = `
  set local lock_timeout = '5s';
  alter table public.wallets add column upgrade_note text not null default '';
  create index wallets_upgrade_note on public.wallets (upgrade_note);
  create function public.get_site_stats_2() returns jsonb language sql stable set search_path = ''
  as $$ select to_jsonb(s) from public.get_site_stats() s $$;
  create or replace function private.clean(p_text text) returns text language plpgsql immutable set search_path = ''
  as $$ begin return nullif(btrim(p_text, E' \\t\\r\\n'), ''); end $$;
`;

/** What a release must not do while the previous code runs. */
const CONTRACT = 'alter table public.wallets rename column points to balance';

/** Applies a migration under load; resolves to the errors of failed calls. */
async function upgradeUnderTraffic(url: string, name: string, sql: string) {
  const traffic = startTraffic(url);
  await traffic.more(50);
  await withClient(url, (client) => applyMigrations(client, migration(name, sql)));
  await traffic.more(50);
  return (await traffic.stop()).errors;
}

it('an expanding upgrade fails no concurrent call and leaves the books balanced; one that contracts at once fails some', () =>
  withScratchDatabases(
    {
      used: async (client) => {
        await applyMigrations(client, readMigrations());
        await client.query(readFileSync(SEED_FILE, 'utf8'));
      },
    },
    async ({ used }) => {
      expect(await upgradeUnderTraffic(used, 'expand', EXPAND)).toEqual([]);
      const books = await withClient(used, (client) => client.query('select * from public.reconcile_ledger()'));
      expect(books.rows).toEqual([]);

      expect((await upgradeUnderTraffic(used, 'contract', CONTRACT)).join()).toContain('points');
    },
  ));
