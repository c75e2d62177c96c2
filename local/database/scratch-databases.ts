import type pg from 'pg';
import { makeEphemeralDirectory } from '../ephemeral-directory.ts';
import { claimDirectory } from '../process/claim.ts';
import { probeFreePort } from '../process/ports.ts';
import { StartedParts } from '../process/started-parts.ts';
import { databaseUrl, withClient } from './connection.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { startDatabase } from './server.ts';

/** Fills an empty database, as role postgres. */
type Fill = (client: pg.Client) => Promise<void>;

/**
 * Starts a server for the duration of `work`, with one database per entry of `fills`. Each starts as an empty platform, and is then filled.
 * `work` gets their addresses under the same names.
 */
export async function withScratchDatabases<Name extends string, T>(
  fills: Record<Name, Fill>,
  work: (urls: Record<Name, string>) => Promise<T>,
): Promise<T> {
  const directory = await makeEphemeralDirectory();
  const claim = await claimDirectory(directory.path);
  const started = new StartedParts(directory.path, { isEphemeral: true });
  try {
    const data = await prepareDataDirectory({
      directory: directory.path,
      isSeeded: false,
      onProgress: () => undefined,
      migrations: [],
    });
    const port = await probeFreePort();
    started.addDatabase(
      await startDatabase({
        directory: data.path,
        port,
        isDurable: false,
        onSpawn: started.record('PostgreSQL'),
        onFailure: () => undefined,
      }),
    );
    // It belongs to the server and not to a schema, and the schema diff engine refuses to read a database that has one.
    await withClient(databaseUrl('supabase_admin', port), (client) =>
      client.query('revoke set on parameter session_replication_role from postgres'),
    );
    const urls = {} as Record<Name, string>;
    for (const name of Object.keys(fills) as Name[]) {
      await withClient(databaseUrl('supabase_admin', port), (client) =>
        client.query(`create database ${name} template postgres owner postgres`),
      );
      urls[name] = databaseUrl('postgres', port, name);
      await withClient(urls[name], fills[name]);
    }
    return await work(urls);
  } finally {
    await started.stop();
    claim.release();
    directory.remove();
  }
}
