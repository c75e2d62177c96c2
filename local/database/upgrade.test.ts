import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SEED_FILE } from '../paths.ts';
import { startTraffic } from '../testing/traffic.ts';
import { withClient } from './connection.ts';
import { applyMigrations, readMigrations } from './migrations.ts';
import { withScratchDatabases } from './scratch-databases.ts';

const migration = (name: string, sql: string) => [{ version: '29990101000000', name, sql, hash: '' }];

/** As in CONTRIBUTING.md: a column with a default, a further procedure, a replaced body, an index. */
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

async function upgradeUnderTraffic(sql: string) {
  return withScratchDatabases(
    {
      used: async (client) => {
        await applyMigrations(client, readMigrations());
        await client.query(readFileSync(SEED_FILE, 'utf8'));
      },
    },
    async ({ used }) => {
      const traffic = startTraffic(used);
      const settle = () => new Promise((resolve) => setTimeout(resolve, 300));
      await settle();
      await withClient(used, (client) => applyMigrations(client, migration('upgrade', sql)));
      await settle();
      const { calls, errors } = await traffic.stop();
      const books = await withClient(used, (client) =>
        client.query('select * from public.reconcile_ledger()').then(
          ({ rows }) => rows,
          (error: Error) => error.message,
        ),
      );
      return { calls, errors, books };
    },
  );
}

describe('an upgrade while people use the product', () => {
  it('that expands, fails no call and leaves the books right', async () => {
    const { calls, errors, books } = await upgradeUnderTraffic(EXPAND);
    expect(calls).toBeGreaterThan(50);
    expect(errors).toEqual([]);
    expect(books).toEqual([]);
  });

  it('that contracts at once is noticed by this test', async () => {
    expect((await upgradeUnderTraffic(CONTRACT)).errors.join()).toContain('points');
  });
});
