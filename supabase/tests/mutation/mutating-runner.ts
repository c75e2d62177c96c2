import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';
import { closeSql, testEnv } from '../../../local/testing/clients.ts';
import { note, readSession, type Session } from './session.ts';

/** A connection reports what it has called at most once a second, at the end of what it does next. */
const STATISTICS_INTERVAL_MS = 1_100;

const REACHED = `
  select 'function ' || funcid::regprocedure::text as name, calls::integer as count from pg_stat_user_functions
  where schemaname in ('public', 'private')
  union all
  select 'table ' || relid::regclass::text, (n_tup_ins + n_tup_upd + n_tup_del)::integer from pg_stat_user_tables
  where schemaname in ('public', 'private')`;

/**
 * Runs each test of a file as it is, and then again under each mutant that it reaches. A mutant lives in the file's own database
 * for the time of one test; the original is put back after it. When a test fails without a mutant then, because of what one has
 * left behind, the file is given up and asked about the rest on a new copy of the database.
 */
export default class MutatingRunner extends TestRunner {
  #file = '';
  #session: Session = { mutants: [] };
  readonly #noticed = new Set<string>();
  #client: pg.Client | undefined;
  #isGivenUp = false;
  /** Whether the undamaged test has passed since the last mutant that it did not notice. */
  #isClean = true;

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onBeforeRunSuite(suite);
    if (!('filepath' in suite)) return;
    this.#file = `supabase/tests/${String(suite.filepath).replace(/^.*\//, '')}`;
    this.#session = readSession(this.#file);
    await this.#query('select 1');
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (!('filepath' in suite)) return;
    if (!this.#isGivenUp) note(this.#file, { isComplete: true });
    await this.#client?.end();
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const name = fullName(test);
    const run = TestRunner.getTestFn(test);
    await run();
    const open = this.#session.mutants.filter(({ key, passed }) => !this.#noticed.has(key) && !passed.includes(name));
    if (this.#isGivenUp || open.length === 0) return;

    const again = async () => {
      await callHooks(test, 'afterEach');
      await callHooks(test, 'beforeEach');
      await run();
    };
    const reached = await this.#reachedBy(again);
    // A test that passes only once cannot be asked.
    if (!reached) return;
    this.#isClean = true;
    for (const { key, sql, undo, reachedBy } of open) {
      if (!reached.has(reachedBy)) continue;
      await this.#query(sql);
      const failure = await again().then(
        () => undefined,
        (error: unknown) => error ?? 'failed',
      );
      await this.#query(undo);
      if (failure === undefined) {
        this.#isClean = false;
        note(this.#file, { key, passed: name });
        continue;
      }
      const isHealthy = await again().then(
        () => true,
        () => false,
      );
      // What an earlier mutant has left behind may have made it fail: then nobody knows.
      if (isHealthy || this.#isClean) {
        this.#noticed.add(key);
        note(this.#file, { key, noticedBy: name });
      }
      this.#isClean = true;
      if (isHealthy) continue;
      this.#isGivenUp = true;
      return;
    }
  }

  /** What the test calls and changes; undefined when it fails the second time. */
  async #reachedBy(again: () => Promise<void>): Promise<Set<string> | undefined> {
    await this.#settle();
    const before = await this.#counts();
    try {
      await again();
    } catch {
      return undefined;
    }
    await this.#settle();
    const after = await this.#counts();
    // A call that ends in a refusal is never counted, so what has no count may have been called by any test.
    return new Set(
      [...after].filter(([name, count]) => count === 0 || count > (before.get(name) ?? 0)).map(([name]) => name),
    );
  }

  /** Lets every connection report what it has called. */
  async #settle(): Promise<void> {
    await closeSql();
    await wait(STATISTICS_INTERVAL_MS);
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const ask = () =>
      fetch(`${SUPABASE_URL}/rest/v1/rewards?select=id&limit=1`, { headers: { apikey: SUPABASE_ANON_KEY } });
    await Promise.all(Array.from({ length: 20 }, ask));
  }

  async #counts(): Promise<Map<string, number>> {
    await this.#query('select pg_stat_clear_snapshot()');
    const { rows } = await this.#query(REACHED);
    return new Map(rows.map(({ name, count }: { name: string; count: number }) => [name, count]));
  }

  async #query(statement: string): Promise<pg.QueryResult> {
    if (!this.#client) {
      this.#client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
      // The database is dropped when the file is over.
      this.#client.on('error', () => undefined);
      await this.#client.connect();
      await this.#client.query("set lock_timeout = '10s'");
      // A mutant may never come to an end.
      await this.#client.query(`do $$ begin
        execute format('alter database %I set statement_timeout = %L', current_database(), '30s');
      end $$`);
      await this.#client.query("alter system set track_functions = 'all'");
      await this.#client.query('select pg_reload_conf()');
    }
    return this.#client.query(statement);
  }
}

function fullName(test: RunnerTestCase): string {
  const names = [test.name];
  for (let suite = test.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return names.join(' > ');
}

/** Calls what stands around each test, from the file inwards before it and outwards after it. */
async function callHooks(test: RunnerTestCase, name: 'beforeEach' | 'afterEach'): Promise<void> {
  const suites: RunnerTestSuite[] = [test.file];
  const inner: RunnerTestSuite[] = [];
  for (let suite = test.suite; suite; suite = suite.suite) inner.unshift(suite);
  suites.push(...inner);
  if (name === 'afterEach') suites.reverse();
  for (const suite of suites) {
    for (const hook of TestRunner.getSuiteHooks(suite)[name]) await hook(test.context, suite);
  }
}
