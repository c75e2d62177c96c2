import pg from 'pg';
import { testEnv } from '../../../local/testing/clients.ts';
import { trackPerson } from './ledger.ts';

/** Outcome of one call: a row, or the error code. */
export type Outcome = { ok: true; value: unknown } | { ok: false; code: string };

/**
 * Concurrent callers, each with a direct connection to the database, without a server that would queue them. Each call
 * is like a PostgREST request: one transaction with the caller's claims and role.
 */
export class ConnectionPool {
  readonly #clients: pg.Client[];

  private constructor(clients: pg.Client[]) {
    this.#clients = clients;
  }

  static async open(size: number): Promise<ConnectionPool> {
    const clients = Array.from({ length: size }, () => new pg.Client({ connectionString: testEnv().DATABASE_URL }));
    await Promise.all(clients.map((client) => client.connect()));
    return new ConnectionPool(clients);
  }

  get size(): number {
    return this.#clients.length;
  }

  /** The n-th connection calls `select <call>` as this person; `null` is the service role. */
  async call(index: number, userId: string | null, call: string, values: unknown[]): Promise<Outcome> {
    const client = this.#clients[index % this.#clients.length];
    if (!client) throw new Error('an empty pool');
    const role = userId === null ? 'service_role' : 'authenticated';
    const claims = JSON.stringify({
      iss: testEnv().IDENTITY_ISSUER,
      role,
      sub: userId,
      email: `${userId}@example.com`,
      email_verified: true,
    });
    if (userId !== null) trackPerson(userId);
    await client.query('begin');
    try {
      await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
        role,
        claims,
      ]);
      const { rows } = await client.query<{ value: unknown }>(
        `select to_jsonb(x) as value from (select ${call}) x`,
        values,
      );
      await client.query('commit');
      return { ok: true, value: rows[0]?.value };
    } catch (error) {
      await client.query('rollback');
      if (!(error instanceof pg.DatabaseError)) throw error;
      // A business error carries its machine code as hint; anything else is identified by its SQLSTATE.
      return { ok: false, code: error.hint ?? `sqlstate ${error.code}: ${error.message}` };
    }
  }

  /** Runs all calls concurrently. */
  together(
    count: number,
    caller: (index: number) => [userId: string | null, call: string, values: unknown[]],
  ): Promise<Outcome[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => this.call(index, ...caller(index))));
  }

  async leave(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()));
  }
}

/** How often each outcome occurred: `{ ok: 1, QUEST_FULL: 63 }`. */
export function tally(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const key = outcome.ok ? 'ok' : outcome.code;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
