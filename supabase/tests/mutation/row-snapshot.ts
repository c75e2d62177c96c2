import type pg from 'pg';

interface Table {
  name: string;
  /** Columns that can be written; generated ones follow. */
  columns: string;
}

const TABLES = `
  select format('%I.%I', c.relnamespace::regnamespace, c.relname) as name,
    string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'private', 'storage')
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.oid, c.relnamespace, c.relname order by c.oid`;

/** The rows of all tables at one moment, kept in temporary tables of a superuser's connection. */
export class RowSnapshot {
  readonly #client: pg.ClientBase;
  readonly #tables: Table[];
  /** The checksum of each table when it was copied or restored. */
  #kept = new Map<string, string>();

  static async of(client: pg.ClientBase): Promise<RowSnapshot> {
    const { rows } = await client.query<Table>(TABLES);
    return new RowSnapshot(client, rows);
  }

  private constructor(client: pg.ClientBase, tables: Table[]) {
    this.#client = client;
    this.#tables = tables;
  }

  /** Copies the tables that have changed since the last snapshot. */
  async take(): Promise<void> {
    const now = await this.#look();
    const copies = this.#changed(now).flatMap(({ name }) => {
      const copy = this.#copyOf(name);
      // Truncating a table is faster than creating one.
      if (this.#kept.has(name)) return [`delete from ${copy}`, `insert into ${copy} table ${name}`];
      return [`create temporary table ${copy} as table ${name}`];
    });
    if (copies.length > 0) await this.#client.query(copies.join(';\n'));
    this.#kept = now;
  }

  /**
   * Restores all rows and executes the other statements in one transaction: after the rows, or before them where the current rows prevent
   * it.
   */
  async restore(others: string[]): Promise<void> {
    const rows = this.#changed(await this.#look()).flatMap(({ name, columns }) => [
      `delete from ${name}`,
      `insert into ${name} (${columns}) overriding system value select ${columns} from ${this.#copyOf(name)}`,
    ]);
    if (others.length + rows.length === 0) return;
    await this.#transaction([...others, ...rows]).catch(() => this.#transaction([...rows, ...others]));
    if (rows.length > 0) this.#kept = await this.#look();
  }

  #changed = (now: Map<string, string>): Table[] =>
    this.#tables.filter(({ name }) => now.get(name) !== this.#kept.get(name));

  #copyOf = (name: string): string => `pg_temp.${name.replace(/\W/g, '_')}`;

  /** Every write carries a later transaction id, so changed rows change the checksum. */
  async #look(): Promise<Map<string, string>> {
    const each = this.#tables.map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as rows from ${name}`,
    );
    // A named statement, so that it is planned once.
    const { rows } = await this.#client.query<{ name: string; rows: string }>({
      name: 'look',
      text: each.join('\nunion all\n'),
    });
    return new Map(rows.map(({ name, rows }) => [name, rows]));
  }

  async #transaction(statements: string[]): Promise<void> {
    try {
      // No trigger may fire on restored rows.
      await this.#client.query(
        ['begin', "set local session_replication_role = 'replica'", ...statements, 'commit'].join(';\n'),
      );
    } catch (error) {
      await this.#client.query('rollback');
      throw error;
    }
  }
}
