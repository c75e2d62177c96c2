import pg from 'pg';
import { UserError } from '../process/user-error.ts';

/** Silence on a connection before the system asks whether the other side is still there; without asking, a query would wait for ever. */
const KEEP_ALIVE_MS = 30_000;

/** Database users of the embedded stack. The passwords are no secret: the server listens on loopback only. */
export type DatabaseUser = 'postgres' | 'supabase_admin' | 'authenticator';

export const DATABASE_PASSWORD = 'postgres';

export const databaseUrl = (user: DatabaseUser, port: number, database = 'postgres'): string =>
  `postgresql://${user}:${DATABASE_PASSWORD}@127.0.0.1:${port}/${database}`;

/** Opens a connection for the time of `work`. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  let loss: Error | undefined;
  client.on('error', (error) => {
    loss ??= error;
  });
  await client.connect();
  try {
    return await work(client);
  } catch (error) {
    throw loss ? new UserError(`The connection to the database was lost: ${loss.message}`) : error;
  } finally {
    await client.end();
  }
}
