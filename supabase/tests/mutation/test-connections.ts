import pg from 'pg';

/** Resolves anyway after this long: a test may have left a connection behind that waits for a lock. */
const LONGEST_WAIT_MS = 2000;

/** The database connections of the tests in this process. A connection reports only about once a second which functions it has called. */
export class TestConnections {
  readonly #open = new Set<pg.Client>();

  /** Knows every connection that is opened from now on. */
  constructor() {
    const open = this.#open;
    const original = pg.Client.prototype.connect as (...args: unknown[]) => unknown;
    Object.assign(pg.Client.prototype, {
      connect(this: pg.Client, ...args: unknown[]): unknown {
        open.add(this);
        this.once('end', () => open.delete(this));
        return original.apply(this, args);
      },
    });
  }

  /** Makes all of them report. */
  async report(): Promise<void> {
    const reports = [...this.#open].map((client) =>
      client.query('select pg_stat_force_next_flush()').catch(() => undefined),
    );
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, LONGEST_WAIT_MS);
    });
    await Promise.race([Promise.all(reports), limit]).finally(() => clearTimeout(timer));
  }
}
