import { resolve } from 'node:path';
import { backUp } from '../backup/backup.ts';
import type { Project } from '../backup/project.ts';
import { restore } from '../backup/restore.ts';
import { readSettings } from '../doctor/settings.ts';
import { PROJECT_ROOT } from '../paths.ts';
import { codeOf, messageOf, UserError } from '../process/user-error.ts';

/** `npm run backup -- DIRECTORY`: copies the project of `.env` into an empty directory. */
export async function backupCommand(directory: string | undefined): Promise<number> {
  const { takenAt, tables, files } = await inASentence(
    backUp(project(), directoryOf(directory, 'backup'), console.log),
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`\n${rows} rows of ${tables.length} tables and ${files.length} files, as they were at ${takenAt}.`);
  return 0;
}

/** `npm run restore -- DIRECTORY`: fills the empty, migrated project of `.env` from a backup. Exit code 1 when the books do not balance. */
export async function restoreCommand(directory: string | undefined): Promise<number> {
  const problems = await inASentence(restore(project(), directoryOf(directory, 'restore'), console.log));
  for (const { problem, subject_type, subject_id } of problems)
    console.log(`✗ ${problem}: ${subject_type} ${subject_id}`);
  console.log(
    problems.length === 0 ? '\nRestored, and the books are right.' : `\n${problems.length} figures are wrong.`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** A wrong address or password, a full disk: whoever runs the command needs what the system says, and not where in the code. */
async function inASentence<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const code = codeOf(error);
    // The command line has words for a full disk.
    if (code === undefined || code === 'ENOSPC') throw error;
    // When a host has several addresses and none answers, the error has no message.
    throw new UserError(messageOf(error) || code);
  });
}

function directoryOf(directory: string | undefined, command: string): string {
  if (!directory) throw new UserError(`Usage: npm run ${command} -- DIRECTORY`);
  return resolve(directory);
}

function project(): Project {
  const { DATABASE_URL, VITE_SUPABASE_URL, SUPABASE_SECRET_KEY } = readSettings(PROJECT_ROOT, process.env);
  if (!DATABASE_URL || !VITE_SUPABASE_URL || !SUPABASE_SECRET_KEY) {
    throw new UserError(
      'Set DATABASE_URL, VITE_SUPABASE_URL and SUPABASE_SECRET_KEY, in .env or the environment (docs/restore.md).',
    );
  }
  if (!/^postgres(ql)?:/.test(DATABASE_URL) || !URL.canParse(DATABASE_URL)) {
    throw new UserError(
      'DATABASE_URL is no connection string like postgresql://USER:PASSWORD@HOST:5432/postgres. In the password write # as %23, / as %2F, ' +
        '? as %3F and % as %25.',
    );
  }
  return {
    databaseUrl: DATABASE_URL,
    supabaseUrl: VITE_SUPABASE_URL.replace(/\/+$/, ''),
    secretKey: SUPABASE_SECRET_KEY,
  };
}
