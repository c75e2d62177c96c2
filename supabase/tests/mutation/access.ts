import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { ACCESS } from '../access/declared.ts';
import { FUNCTION_ACCESS } from '../access/declared-functions.ts';
import { evaluateTable, withHidden } from '../access/evaluate.ts';
import { executableFunctions } from '../access/executable.ts';
import { insertFixture } from '../access/fixture.ts';
import { type AccessMutant, listAccessMutants } from './access-mutants.ts';

export interface AccessResult {
  mutants: AccessMutant[];
  survivors: AccessMutant[];
}

/**
 * Mutates the policies, grants and helpers one at a time and evaluates the access matrix again, as `access-matrix.test.ts` does. Each
 * mutant lives in a transaction that is rolled back.
 */
export async function huntAccessMutants(
  client: pg.ClientBase,
  isWanted: (target: string) => boolean,
): Promise<AccessResult> {
  await client.query('begin');
  try {
    await client.query("set local search_path = ''");
    await insertFixture(client);
    const failing = await whatNotices(client);
    if (failing) throw new Error(`the matrix fails without any mutant: ${failing}`);
    const mutants = (await listAccessMutants(client)).filter(({ target }) => isWanted(target));
    const survivors: AccessMutant[] = [];
    for (const mutant of mutants) if (await survives(client, mutant)) survivors.push(mutant);
    return { mutants, survivors };
  } finally {
    await client.query('rollback');
  }
}

async function survives(client: pg.ClientBase, mutant: AccessMutant): Promise<boolean> {
  await client.query('savepoint mutant');
  try {
    await client.query(mutant.sql);
    return (await whatNotices(client, mutant)) === undefined;
  } finally {
    await client.query('rollback to savepoint mutant');
  }
}

/** Where the matrix differs from the declared one. The mutant's own table is checked first. */
async function whatNotices(client: pg.ClientBase, mutant?: AccessMutant): Promise<string | undefined> {
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
