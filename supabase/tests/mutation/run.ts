/**
 * Do the tests notice mutations? Mutates the database in one place at a time on throw-away copies, runs the tests that reach that place,
 * and writes the results to docs/mutation-results.md. Verdicts are saved, so that an interrupted run can be resumed.
 *
 *     npm run test:mutation -- [--sample SIZE [--seed NUMBER]] [--workers NUMBER] [--minutes NUMBER] [--only code] [NAME…]
 *     npm run test:mutation -- --only conditions
 *
 * A sample is drawn from the code of all schema files; the access rules are mutated completely, unless only the code is wanted. With names,
 * only matching objects are mutated. In both cases the page is not written. `--only conditions` mutates nothing: it runs all tests once, and
 * lists the conditions that were never both true and false.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEphemeralStack } from '../../../local/ephemeral-stack.ts';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { type AccessResult, huntAccessMutants } from './access.ts';
import { type CallGraph, readCallGraph } from './call-graph.ts';
import { codeMutantsOf, type Mutant } from './catalogue.ts';
import { type Hunted, hunt } from './hunt.ts';
import { KeptReaches } from './kept-reach.ts';
import { KeptVerdicts } from './kept-verdicts.ts';
import { isEquivalent, report } from './report.ts';
import { drawSample } from './sample.ts';
import { KEPT_DIRECTORY } from './session.ts';
import { testFiles } from './test-files.ts';
import { undecidedConditions } from './undecided-conditions.ts';

/** Share of mutants that has to be noticed, equivalent ones excluded. */
const FLOOR = 0.95;

const RESULTS = join(PROJECT_ROOT, 'docs/mutation-results.md');

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    only: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
const seed = Number(options.seed);
const isWhole = names.length === 0 && options.only === undefined;
const isWanted = (target: string) => names.length === 0 || names.some((name) => target.includes(name));
mkdirSync(KEPT_DIRECTORY, { recursive: true });

if (options.only === 'conditions') await listConditions();
else await mutate();

async function listConditions(): Promise<void> {
  const { total, undecided } = await undecidedConditions(Number(options.workers));
  for (const condition of undecided) print(condition);
  print(`${total - undecided.length} of ${total} conditions were both true and false`);
  // Vitest has set it to 1 if a test has failed over the slower functions.
  process.exitCode = 0;
}

async function mutate(): Promise<void> {
  const { access, mutants, graph } = await fromCatalogue();
  const asked = options.sample === undefined ? mutants : drawSample(mutants, Number(options.sample), seed);
  print(`${access.mutants.length} mutants of access rules; ${asked.length} of ${mutants.length} mutants of code`);
  for (const mutant of access.survivors)
    if (!isEquivalent(mutant)) print(`not noticed: ${mutant.target}: ${mutant.change}`);

  const files = testFiles();
  const hunted = await hunt(asked, {
    graph,
    testFiles: [...files.keys()],
    kept: new KeptVerdicts(join(KEPT_DIRECTORY, 'verdicts.jsonl'), files),
    reaches: new KeptReaches(join(KEPT_DIRECTORY, 'reach.json'), files),
    workers: Number(options.workers),
    minutes: Number(options.minutes),
    onProgress: (known) => {
      const answered = known.filter(isAnswered);
      print(
        `${answered.filter(({ noticedBy }) => noticedBy).length} of ${answered.length} noticed, ${known.length} in all`,
      );
    },
  });
  const answered = hunted.filter(isAnswered);
  const survivors = answered.filter(({ noticedBy }) => noticedBy === null).map(({ mutant }) => mutant);
  for (const mutant of survivors) if (!isEquivalent(mutant)) print(`not noticed: ${mutant.target}: ${mutant.change}`);
  const gaps = [...survivors, ...access.survivors].filter((mutant) => !isEquivalent(mutant));

  const effective = [...answered.map(({ mutant }) => mutant), ...access.mutants].filter(
    (mutant) => !isEquivalent(mutant),
  );
  const share = 1 - gaps.length / effective.length;
  print(`${effective.length - gaps.length} of ${effective.length} noticed (${(100 * share).toFixed(1)} %)`);
  if (answered.length < hunted.length) print(`${hunted.length - answered.length} not asked; run it again to go on`);
  if (isWhole) writeFileSync(RESULTS, report(access, hunted, { total: mutants.length, seed }));
  // A run that was given its time may leave some over.
  const mayLeaveSome = Number.isFinite(Number(options.minutes));
  // Vitest has set the code to 1 if it was stopped or a test could not be tried, which is no verdict.
  process.exitCode = share < FLOOR || (answered.length < hunted.length && !mayLeaveSome) ? 1 : 0;
}

/** The mutants, with those of the access rules tried at once. */
async function fromCatalogue(): Promise<{ access: AccessResult; mutants: Mutant[]; graph: CallGraph }> {
  const stack = await startEphemeralStack({ isSeeded: false });
  const client = new pg.Client({ connectionString: stack.env.ADMIN_DATABASE_URL });
  try {
    await client.connect();
    const mutants = (await codeMutantsOf(client)).filter(({ target }) => isWanted(target));
    return {
      mutants,
      graph: await readCallGraph(client),
      access: options.only === 'code' ? { mutants: [], survivors: [] } : await huntAccessMutants(client, isWanted),
    };
  } finally {
    await client.end();
    await stack.stop();
  }
}

function isAnswered({ noticedBy }: Hunted): boolean {
  return noticedBy !== undefined;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
