/**
 * Is the access matrix worth its name? Damages the policies, grants and helpers one at a time on a throw-away stack, asks the matrix
 * again, and writes which mutants it noticed to docs/mutation-results.md. Each mutant lives in a transaction that is rolled back.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { startEphemeralStack } from '../../../local/ephemeral-stack.ts';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { ACCESS } from '../access/declared.ts';
import { FUNCTION_ACCESS } from '../access/declared-functions.ts';
import { evaluateTable, withHidden } from '../access/evaluate.ts';
import { executableFunctions } from '../access/executable.ts';
import { insertFixture } from '../access/fixture.ts';
import { listMutants, type Mutant } from './mutants.ts';
import { report } from './report.ts';

/** Share of mutants that has to be noticed. */
const FLOOR = 0.95;

const RESULTS = join(PROJECT_ROOT, 'docs/mutation-results.md');

const stack = await startEphemeralStack({ isSeeded: false });
const client = new pg.Client({ connectionString: stack.env.DATABASE_URL });

try {
  await client.connect();
  await client.query('begin');
  await client.query("set local search_path = ''");
  await insertFixture(client);
  const failing = await whatNotices();
  if (failing) throw new Error(`the matrix fails without any mutant: ${failing}`);
  const mutants = await listMutants(client);
  const survivors: Mutant[] = [];
  for (const [index, mutant] of mutants.entries()) {
    if (!(await survives(mutant))) continue;
    survivors.push(mutant);
    process.stdout.write(`\nnot noticed: ${mutant.target}: ${mutant.change} (${index + 1} of ${mutants.length})\n`);
  }
  const share = 1 - survivors.length / mutants.length;
  writeFileSync(RESULTS, report(mutants, survivors));
  process.stdout.write(
    `${mutants.length - survivors.length} of ${mutants.length} noticed (${(100 * share).toFixed(1)} %), see ${RESULTS}\n`,
  );
  if (share < FLOOR) process.exitCode = 1;
} finally {
  await client.end();
  await stack.stop();
}

async function survives(mutant: Mutant): Promise<boolean> {
  await client.query('savepoint mutant');
  try {
    await client.query(mutant.sql);
    return (await whatNotices(mutant)) === undefined;
  } finally {
    await client.query('rollback to savepoint mutant');
  }
}

/** Where the matrix differs from what is declared. The mutant's own table is asked first. */
async function whatNotices(mutant?: Mutant): Promise<string | undefined> {
  const { anyone, signedIn, admins, serviceRole } = FUNCTION_ACCESS;
  const functions = { anyone, signedIn: [...signedIn, ...admins].sort(), serviceRole };
  if (!isDeepStrictEqual({ ...(await executableFunctions(client)) }, functions)) return 'who may call what';
  const order = Object.keys(ACCESS).sort(
    (a, b) => Number(mutant?.target.endsWith(b)) - Number(mutant?.target.endsWith(a)),
  );
  for (const table of order) {
    const declared = ACCESS[table];
    if (!declared || !isDeepStrictEqual(await evaluateTable(client, table), withHidden(declared))) return table;
  }
  return undefined;
}
