/**
 * Do the tests notice damage? Damages the database in one place at a time on throw-away copies, asks the tests that reach that
 * place, and writes what they noticed to docs/mutation-results.md. With words as arguments only what is named by one of them is
 * damaged, and nothing is written. Verdicts are kept, so a run that was interrupted goes on where it was.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEphemeralStack } from '../../../local/ephemeral-stack.ts';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { type AccessResult, huntAccessMutants } from './access.ts';
import { codeMutantsOf, type Mutant } from './catalogue.ts';
import { measureCoverage } from './coverage.ts';
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

const { access, mutants } = await fromCatalogue();
const hashes = testFiles();
const coverage = await measureCoverage(KEPT_DIRECTORY, hashes, names.length === 0);

const hunted = await hunt(mutants, {
  coverage,
  kept: new KeptVerdicts(join(KEPT_DIRECTORY, 'verdicts.jsonl'), hashes),
  onProgress: (line) => process.stdout.write(`${line}\n`),
});
for (const { mutant, noticedBy } of hunted) {
  if (!noticedBy && !isEquivalent(mutant)) process.stdout.write(`not noticed: ${mutant.target}: ${mutant.change}\n`);
}

const survivors = hunted.filter(({ noticedBy }) => !noticedBy).map(({ mutant }) => mutant);
const all = [...mutants, ...access.mutants];
const gaps = [...survivors, ...access.survivors].filter((mutant) => !isEquivalent(mutant));
const share = 1 - gaps.length / all.filter((mutant) => !isEquivalent(mutant)).length;
process.stdout.write(
  `${all.length} mutants, ${gaps.length} gaps: ${(100 * share).toFixed(1)} % of those with an effect noticed\n`,
);
if (names.length === 0) writeFileSync(RESULTS, report(access, hunted));
if (share < FLOOR) process.exitCode = 1;

/** The mutants, and those of the access rules tried at once. */
async function fromCatalogue(): Promise<{ access: AccessResult; mutants: Mutant[] }> {
  const stack = await startEphemeralStack({ isSeeded: false });
  const client = new pg.Client({ connectionString: stack.env.ADMIN_DATABASE_URL });
  try {
    await client.connect();
    const mutants = (await codeMutantsOf(client)).filter(({ target }) => isWanted(target));
    return { mutants, access: await huntAccessMutants(client, isWanted) };
  } finally {
    await client.end();
    await stack.stop();
  }
}
