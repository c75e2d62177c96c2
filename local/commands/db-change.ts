import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileNameOf, readMigrations, readReleased, releaseProblems } from '../database/migrations.ts';
import { findSchemaChange } from '../database/schema-change.ts';
import { baselineSql, readSchemaFiles } from '../database/schema-files.ts';
import { CHECKSUMS_FILE, MIGRATIONS_DIRECTORY, RELEASED_SEED_FILE, SEED_FILE } from '../paths.ts';
import { UserError } from '../process/user-error.ts';

const BASELINE = { version: '20260101000000', name: 'baseline' };

/** `npm run db:change -- NAME`: writes the migration from the current migrations to supabase/schemas. */
export async function dbChangeCommand(name: string | undefined): Promise<number> {
  if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new UserError('Usage: npm run db:change -- NAME, where NAME says in lower_case what changes: add_team_seats');
  }
  const { steps, destructive, rest } = await findSchemaChange(readMigrations(), readSchemaFiles());
  for (const [step, sql] of steps.entries()) {
    const file = fileNameOf({ version: nextVersion(step), name: steps.length > 1 ? `${name}_${step + 1}` : name });
    writeFileSync(join(MIGRATIONS_DIRECTORY, file), sql);
    console.log(`Wrote supabase/migrations/${file}. Read it before you commit it.`);
  }
  if (destructive.length > 0) console.log(`It loses data:\n${destructive.map((sql) => `  ${sql}`).join('\n')}`);
  if (rest.length > 0) {
    throw new UserError(
      `The migrations do not lead to the schema yet. Write the rest by hand (new columns stand last in their table; the engine compares no rows):\n${rest.join('\n')}`,
    );
  }
  if (steps.length === 0) console.log('The migrations already lead to the schema.');
  return 0;
}

/** Timestamps in the official CLI's format, a second apart for the steps of one change. */
function nextVersion(step: number): string {
  return new Date(Date.now() + step * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
}

/** `npm run db:baseline`: regenerates the first migration from supabase/schemas. Only until it is released. */
export function dbBaselineCommand(): number {
  const file = fileNameOf(BASELINE);
  if (file in readReleased()) {
    throw new UserError(`${file} is released and stays as it is. Use npm run db:change -- NAME.`);
  }
  // Read first: an unreadable schema must leave the migrations as they are.
  const sql = baselineSql(readSchemaFiles());
  // Later migrations are part of the new baseline.
  for (const migration of readMigrations()) rmSync(join(MIGRATIONS_DIRECTORY, fileNameOf(migration)));
  writeFileSync(join(MIGRATIONS_DIRECTORY, file), sql);
  console.log(`Wrote supabase/migrations/${file}.`);
  return 0;
}

/** `npm run db:release`: freezes the existing migrations. */
export function dbReleaseCommand(): number {
  const migrations = readMigrations();
  const problems = releaseProblems(migrations, readReleased());
  if (problems.length > 0) throw new UserError(problems.join('\n'));
  const released = Object.fromEntries(migrations.map((migration) => [fileNameOf(migration), migration.hash]));
  writeFileSync(CHECKSUMS_FILE, `${JSON.stringify(released, null, 2)}\n`);
  copyFileSync(SEED_FILE, RELEASED_SEED_FILE);
  console.log(`${migrations.length} migrations are released.`);
  return 0;
}
