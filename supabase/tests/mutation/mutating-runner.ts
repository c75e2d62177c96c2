import pg from 'pg';
import { type RunnerTask, type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';
import { closeSql, testEnv } from '../../../local/testing/clients.ts';
import { type CallGraph, nameOf, namesBelow, readCallGraph } from './call-graph.ts';
import type { Mutant } from './catalogue.ts';
import { Refusals } from './refusals.ts';
import { note, readSession, type Session } from './session.ts';

const REACHED = `
  select funcname as name, calls::integer as count from pg_stat_user_functions
  where schemaname in ('public', 'private')
  union all
  select relname, (n_tup_ins + n_tup_upd + n_tup_del)::integer from pg_stat_user_tables
  where schemaname in ('public', 'private')`;

/**
 * Runs each test of a file as it is, and then again under each mutant that it reaches. A mutant lives in the file's own database
 * for the time of one test; the original is put back after it. When a test fails without a mutant then, because of what one has
 * left behind, the file is given up and asked about the rest on a new copy of the database.
 */
export default class MutatingRunner extends TestRunner {
  #file = '';
  #session: Session = { hash: '', mutants: [], reach: {}, isOneByOne: false };
  #graph: CallGraph | undefined;
  readonly #refusals = new Refusals();
  readonly #noticed = new Set<string>();
  #client: pg.Client | undefined;
  #isGivenUp = false;
  /** What was counted before the test and what is called before it. */
  #before = new Map<string, number>();
  /** Whether the undamaged test has passed since the last mutant that it did not notice. */
  #isClean = true;

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onBeforeRunSuite(suite);
    if (!('filepath' in suite)) return;
    this.#file = `supabase/tests/${String(suite.filepath).replace(/^.*\//, '')}`;
    this.#session = readSession(this.#file);
    this.#graph = await readCallGraph(await this.#connected());
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (!('filepath' in suite)) return;
    // Where a test fails as it is, nothing is known about its mutants.
    if (!this.#isGivenUp && suite.result?.state !== 'fail') note(this.#file, { isComplete: true });
    await this.#client?.end();
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#refusals.take();
    this.#before = await this.#counts();
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const name = fullName(test);
    const run = TestRunner.getTestFn(test);
    const open = this.#session.mutants.filter(({ key, passed }) => !this.#noticed.has(key) && !passed.includes(name));
    if (this.#isGivenUp || open.length === 0) return run();
    const again = async () => {
      await callHooks(test, 'afterEach');
      await callHooks(test, 'beforeEach');
      await run();
    };

    const reached = await this.#runAndReach(name, run);
    const next = open.filter(({ reachedBy }) => reached.includes(nameOf(reachedBy)));
    // A test that passes only once cannot be asked.
    if (next.length === 0 || (await failureOf(again)) !== undefined) return;
    this.#isClean = true;
    for (const group of this.#session.isOneByOne ? next.map((mutant) => [mutant]) : ofDifferentTargets(next)) {
      await this.#ask(group, name, again);
      if (this.#isGivenUp) return;
    }
  }

  /** Most tests notice few mutants, so several are shown at once, and half of them each where the test fails. */
  async #ask(group: Mutant[], name: string, again: () => Promise<void>): Promise<void> {
    for (const { sql } of group) await this.#query(sql);
    let failure = await failureOf(again);
    // On a busy machine anything takes too long once.
    if (isTimeout(failure)) failure = await failureOf(again);
    for (const { undo } of group) await this.#query(undo);
    if (failure === undefined) {
      this.#isClean = false;
      for (const { key } of group) note(this.#file, { key, passed: name });
      return;
    }
    const isHealthy = (await failureOf(again)) === undefined;
    const [first, ...others] = group;
    // What an earlier mutant has left behind may have made it fail: then nobody knows.
    if (first && others.length === 0 && (isHealthy || this.#isClean)) {
      this.#noticed.add(first.key);
      note(this.#file, { key: first.key, noticedBy: isTimeout(failure) ? `${name} (took too long, twice)` : name });
    }
    this.#isClean = true;
    this.#isGivenUp = !isHealthy;
    if (others.length === 0) return;
    const half = group.length / 2;
    for (const part of [group.slice(0, half), group.slice(half)]) {
      if (!this.#isGivenUp) await this.#ask(part, name, again);
    }
  }

  /** Runs the undamaged test. What it calls, changes or is refused by. */
  async #runAndReach(name: string, run: () => unknown): Promise<string[]> {
    const known = this.#session.reach[name];
    if (known !== undefined) {
      await run();
      return known;
    }
    await run();
    const reach = this.#reachOf(await this.#counts());
    note(this.#file, { test: name, reach });
    return reach;
  }

  #reachOf(after: Map<string, number>): string[] {
    const counted = [...after].filter(([name, count]) => count > (this.#before.get(name) ?? 0)).map(([name]) => name);
    if (!this.#graph) return counted;
    // A call that ends in an error is never counted, so all that the refused one may have come to is taken for reached.
    const { bodies } = this.#graph;
    const catching = counted.map((name) => bodies.get(name) ?? '').filter((body) => /\bexception\s+when\b/.test(body));
    const below = namesBelow(this.#graph, [...this.#refusals.take(), ...catching]);
    return [...new Set([...counted, ...below])];
  }

  /** How often each function was called and each table was changed. */
  async #counts(): Promise<Map<string, number>> {
    // Connections of the tests report when they are closed, PostgREST's after every request: see database-server.ts.
    await closeSql();
    await this.#query('select pg_stat_clear_snapshot()');
    const { rows } = await this.#query(REACHED);
    const counts = new Map<string, number>();
    for (const { name, count } of rows) counts.set(name, (counts.get(name) ?? 0) + count);
    return counts;
  }

  #query = async (statement: string): Promise<pg.QueryResult> => (await this.#connected()).query(statement);

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    this.#client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
    // The database is dropped when the file is over.
    this.#client.on('error', () => undefined);
    await this.#client.connect();
    await this.#client.query("set lock_timeout = '20s'");
    // Mutants keep their signatures, so PostgREST need not read the schema again.
    await this.#client.query('set event_triggers = off');
    return this.#client;
  }
}

/** Groups in which no two mutants damage the same thing. */
function ofDifferentTargets<T extends Mutant>(mutants: T[]): T[][] {
  const groups: T[][] = [];
  for (const mutant of mutants) {
    const group = groups.find((others) => others.every(({ target }) => target !== mutant.target));
    if (group) group.push(mutant);
    else groups.push([mutant]);
  }
  return groups;
}

const failureOf = (work: () => Promise<void>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error ?? 'failed',
  );

const isTimeout = (failure: unknown): boolean =>
  failure !== undefined && /timed out|timeout|fetch failed|ECONN/i.test(String(failure));

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
