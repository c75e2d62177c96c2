/**
 * Do the tests notice damage? Damages the database in one place at a time on throw-away copies, asks the tests that reach that
 * place, and writes what they noticed to docs/mutation-results.md. With words as arguments only what is named by one of them is
 * damaged, and nothing is written. Verdicts are kept, so a run that was interrupted (Ctrl-C) says what it
 * knows by then, and the next one goes on.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEphemeralStack } from '../../../local/ephemeral-stack.ts';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { type AccessResult, huntAccessMutants } from './access.ts';
import { codeMutantsOf, type Mutant } from './catalogue.ts';
import { type CallGraph, readCallGraph } from './file-choice.ts';
import { hunt } from './hunt.ts';
import { KeptVerdicts } from './kept-verdicts.ts';
import { isEquivalent, report } from './report.ts';
import { KEPT_DIRECTORY } from './session.ts';
import { testFiles } from './test-files.ts';

/** Share of mutants that has to be noticed, those without effect apart. */
const FLOOR = 0.95;

const RESULTS = join(PROJECT_ROOT, 'docs/mutation-results.md');

const names = process.argv.slice(2);
const isWanted = (target: string) => names.length === 0 || names.some((name) => target.includes(name));
mkdirSync(KEPT_DIRECTORY, { recursive: true });

const { access, mutants, graph } = await fromCatalogue();
const hashes = testFiles();
const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());
const hunted = await hunt(mutants, {
  graph,
  testFiles: [...hashes.keys()],
  kept: new KeptVerdicts(join(KEPT_DIRECTORY, 'verdicts.jsonl'), hashes),
  signal: interruption.signal,
  onProgress: (line) => process.stdout.write(`${line}\n`),
});
const survivors = hunted.filter(({ noticedBy }) => noticedBy === null).map(({ mutant }) => mutant);
const gaps = [...survivors, ...access.survivors].filter((mutant) => !isEquivalent(mutant));
for (const { target, change } of gaps) process.stdout.write(`not noticed: ${target}: ${change}\n`);

const asked = hunted.filter(({ noticedBy }) => noticedBy !== undefined).map(({ mutant }) => mutant);
const effective = [...asked, ...access.mutants].filter((mutant) => !isEquivalent(mutant));
const share = 1 - gaps.length / effective.length;
process.stdout.write(
  `${effective.length - gaps.length} of ${effective.length} noticed (${(100 * share).toFixed(1)} %)\n`,
);
if (asked.length < mutants.length)
  process.stdout.write(`${mutants.length - asked.length} not asked; run it again to go on\n`);
if (names.length === 0) writeFileSync(RESULTS, report(access, hunted));
if (share < FLOOR || asked.length < mutants.length) process.exitCode = 1;

/** The mutants, and those of the access rules tried at once. */
async function fromCatalogue(): Promise<{ access: AccessResult; mutants: Mutant[]; graph: CallGraph }> {
  const stack = await startEphemeralStack({ isSeeded: false });
  const client = new pg.Client({ connectionString: stack.env.ADMIN_DATABASE_URL });
  try {
    await client.connect();
    const mutants = (await codeMutantsOf(client)).filter(({ target }) => isWanted(target));
    return { mutants, graph: await readCallGraph(client), access: await huntAccessMutants(client, isWanted) };
  } finally {
    await client.end();
    await stack.stop();
  }
}
