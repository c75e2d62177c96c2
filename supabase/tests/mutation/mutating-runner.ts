import pg from 'pg';
import { type RunnerTask, type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';
import { testEnv } from '../../../local/testing/clients.ts';
import { type CallGraph, nameOf, namesBelow, readCallGraph } from './call-graph.ts';
import type { Mutant } from './catalogue.ts';
import { Refusals } from './refusals.ts';
import { RowSnapshot } from './row-snapshot.ts';
import { note, readSession, type Session } from './session.ts';
import { TestConnections } from './test-connections.ts';

/** A test that takes longer than this without a mutant would hold up all the others. */
const LONGEST_TEST_MS = 20_000;

/** A test that takes longer than this with a mutant has not passed. */
const LIMIT_MS = 40_000;

/** The largest number of mutants installed at once. */
const LARGEST_GROUP = 64;

const REACHED = `
  select funcname as name, calls::integer as count from pg_stat_user_functions
  where schemaname in ('public', 'private')
  union all
  select relname, (n_tup_ins + n_tup_upd + n_tup_del)::integer from pg_stat_user_tables
  where schemaname in ('public', 'private')`;

const TOO_LONG = Symbol('took too long');

/**
 * Runs each test of a file unmutated, and then again with each mutant that it reaches. A mutant is installed in the file's own database for
 * the duration of one test; afterwards the original and all rows are restored. A failure counts once the test has passed again without any
 * mutant. If it does not, the file is abandoned and run against the remaining mutants on a new copy of the database.
 */
export default class MutatingRunner extends TestRunner {
  #file = '';
  #session: Session = { hash: '', mutants: [], reach: {}, isWhole: true, unfit: [], isSurvey: false };
  #graph: CallGraph | undefined;
  #rows: RowSnapshot | undefined;
  readonly #refusals = new Refusals();
  readonly #connections = new TestConnections();
  readonly #noticed = new Set<string>();
  #client: pg.Client | undefined;
  #isGivenUp = false;
  /** The counters before the test, and the functions that were called before it. */
  #before = new Map<string, number>();
  /** How many mutants were tried on a test of this file, and how many of them it noticed. */
  readonly #shown = { all: 0, noticed: 0 };

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onBeforeRunSuite(suite);
    if (!('filepath' in suite)) return;
    this.#file = `supabase/tests/${String(suite.filepath).replace(/^.*\//, '')}`;
    this.#session = readSession(this.#file);
    this.#graph = await readCallGraph(await this.#connected());
    this.#rows = await RowSnapshot.of(await this.#connected());
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (!('filepath' in suite)) return;
    // A test that fails unmutated says nothing about its mutants.
    if (!this.#isGivenUp && suite.result?.state !== 'fail') note(this.#file, { isComplete: true });
    await this.#client?.end();
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    if (this.#isOver() || this.#isSkipped(fullName(test))) return;
    this.#refusals.take();
    this.#before = await this.#counts();
    await this.#rows?.take();
  }

  /** The run is ended early: what has not been tried yet is skipped. */
  override cancel(...reason: Parameters<TestRunner['cancel']>): void {
    super.cancel(...reason);
    this.#isGivenUp = true;
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    if (this.#isOver()) return;
    const name = fullName(test);
    const run = TestRunner.getTestFn(test);
    if (this.#session.isSurvey) {
      await this.#runAndReach(name, run);
      return;
    }
    if (this.#isSkipped(name)) return;
    const next = this.#openFor(name);
    if (next.length === 0 || this.#session.unfit.includes(name)) return run();

    const start = performance.now();
    const reached = await this.#runAndReach(name, run);
    const duration = performance.now() - start;
    const reaching = next.filter(({ reachedBy }) => reached.includes(nameOf(reachedBy)));
    if (reaching.length > 0 && duration < LONGEST_TEST_MS) await this.#ask(reaching, test, name);
  }

  /** The mutants that this test has not been tried with. */
  #openFor = (name: string): Session['mutants'] =>
    this.#session.mutants.filter(({ key, passed }) => !this.#noticed.has(key) && !passed.includes(name));

  /** Each test creates what it needs, so those that are known to reach no mutant are left out. */
  #isSkipped(name: string): boolean {
    const { isWhole, isSurvey, reach } = this.#session;
    const known = reach[name];
    if (isWhole || isSurvey || known === undefined) return false;
    return !this.#openFor(name).some(({ reachedBy }) => known.includes(nameOf(reachedBy)));
  }

  /** Whether there is nothing left to try with this file. */
  #isOver(): boolean {
    if (this.#isGivenUp || this.#session.isSurvey) return this.#isGivenUp;
    return this.#session.mutants.every(({ key }) => this.#noticed.has(key));
  }

  async #ask(mutants: Mutant[], test: RunnerTestCase, name: string): Promise<void> {
    const run = TestRunner.getTestFn(test);
    const again = async () => {
      await callHooks(test, 'beforeEach');
      try {
        await run();
      } finally {
        await callHooks(test, 'afterEach');
      }
    };
    await callHooks(test, 'afterEach');
    await this.#rows?.restore([]);
    const noticed: string[] = [];
    for (let rest = mutants; rest.length > 0 && !this.#isGivenUp; ) {
      const group = ofDifferentTargets(rest, this.#groupSize());
      rest = rest.filter((mutant) => !group.includes(mutant));
      noticed.push(...(await this.#show(group, test, name, again)));
    }
    if (this.#isGivenUp) return;
    // Finally once without a mutant, for the tests that follow, and to confirm that the mutant made it fail.
    await callHooks(test, 'beforeEach');
    const isFit = (await failureOf(run)) === undefined;
    for (const key of isFit ? noticed : []) this.#note(key, test, name);
    if (!isFit) this.#giveUp(name);
  }

  /** The effects of this test cannot be undone, so the file is run on a new copy, without this test. */
  #giveUp(name: string): void {
    note(this.#file, { unfit: name });
    this.#isGivenUp = true;
  }

  /** The mutants that the test notices. Several are installed at once, and bisected when the test fails. */
  async #show(group: Mutant[], test: RunnerTestCase, name: string, again: () => Promise<void>): Promise<string[]> {
    let failure = await this.#failureWith(group, name, again);
    const [first, ...others] = group;
    // On a busy machine, anything may take too long once.
    if (isTimeout(failure) && others.length === 0) {
      failure = await this.#failureWith(group, name, again);
      if (failure === TOO_LONG && first) {
        this.#note(first.key, test, `${name} (took too long, twice)`);
        // The test is still running, and would disturb the rest of the file.
        this.#isGivenUp = true;
      }
    }
    if (this.#isGivenUp) return [];
    if (failure === undefined) {
      this.#shown.all += group.length;
      for (const { key } of group) note(this.#file, { key, passed: name });
      return [];
    }
    if (first && others.length === 0) {
      this.#shown.all += 1;
      this.#shown.noticed += 1;
      return [first.key];
    }
    const half = group.length / 2;
    const noticed = await this.#show(group.slice(0, half), test, name, again);
    return this.#isGivenUp ? [] : [...noticed, ...(await this.#show(group.slice(half), test, name, again))];
  }

  /** Why the test fails with these mutants. Restores the database. */
  async #failureWith(mutants: Mutant[], name: string, again: () => Promise<void>): Promise<unknown> {
    for (const { sql } of mutants) await this.#query(sql);
    const failure = await failureOf(again);
    try {
      await this.#rows?.restore(mutants.map(({ undo }) => undo));
    } catch {
      this.#giveUp(name);
    }
    return failure;
  }

  /** If every second mutant is noticed, one at a time is fastest; if hardly any is, many at once. */
  #groupSize = (): number => Math.min(LARGEST_GROUP, Math.floor((this.#shown.all + 1) / (this.#shown.noticed + 1)));

  #note(key: string, test: RunnerTestCase, noticedBy: string): void {
    this.#noticed.add(key);
    note(this.#file, { key, noticedBy, line: test.location?.line });
  }

  /** Runs the test unmutated. Returns what it calls, changes or is refused by. */
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
    // A call that ends in an error is never counted, so everything that a refused call may have reached counts as
    // reached.
    const { bodies } = this.#graph;
    const catching = counted.map((name) => bodies.get(name) ?? '').filter((body) => /\bexception\s+when\b/.test(body));
    const below = namesBelow(this.#graph, [...this.#refusals.take(), ...catching]);
    return [...new Set([...counted, ...below])];
  }

  /** How often each function was called and each table was changed. */
  async #counts(): Promise<Map<string, number>> {
    // PostgREST's connections report after every request: see database-server.ts.
    await this.#connections.report();
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
    // The database is dropped when the file has finished.
    this.#client.on('error', () => undefined);
    await this.#client.connect();
    await this.#client.query("set lock_timeout = '25s'");
    // Mutants keep their signatures, so PostgREST need not reload the schema.
    await this.#client.query('set event_triggers = off');
    return this.#client;
  }
}

/** The first of these mutants that mutate different objects, up to a limit. */
function ofDifferentTargets(mutants: Mutant[], most: number): Mutant[] {
  const group = new Map<string, Mutant>();
  for (const mutant of mutants) if (group.size < most && !group.has(mutant.target)) group.set(mutant.target, mutant);
  return [...group.values()];
}

/** Why it failed; undefined when it passed. */
async function failureOf(work: () => unknown): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS, TOO_LONG);
  });
  const outcome = Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: unknown) => error ?? 'failed',
    );
  return Promise.race([outcome, limit]).finally(() => clearTimeout(timer));
}

const isTimeout = (failure: unknown): boolean =>
  failure === TOO_LONG || /timed out|timeout|fetch failed|ECONN/i.test(String(failure));

function fullName(test: Pick<RunnerTask, 'name' | 'suite'>): string {
  const names = [test.name];
  for (let suite = test.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return names.join(' > ');
}

/** Runs the hooks around each test, from the file inwards before it and outwards after it. */
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
