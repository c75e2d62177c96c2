import pg from 'pg';

/** Database users of the embedded stack. The passwords are no secret: the server listens on loopback only. */
export type DatabaseUser = 'postgres' | 'supabase_admin' | 'authenticator';

export const DATABASE_PASSWORD = 'postgres';

export const databaseUrl = (user: DatabaseUser, port: number, database = 'postgres'): string =>
  `postgresql://${user}:${DATABASE_PASSWORD}@127.0.0.1:${port}/${database}`;

/** Opens a connection for the time of `work`. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
