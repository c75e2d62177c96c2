import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { UserError } from '../process/user-error.ts';
import { DATABASE_PASSWORD } from './connection.ts';
import type { PostgresUser } from './postgres-user.ts';
import { postgresPrograms } from './programs.ts';

/** The built-in C.UTF-8 collation sorts alike on every machine, whatever locales its operating system has. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** Runs initdb on an empty directory; the superuser is supabase_admin, as on the hosted platform. */
export async function initialiseCluster(directory: string, user: PostgresUser | undefined): Promise<void> {
  const passwordFile = `${directory}.password`;
  writeFileSync(passwordFile, DATABASE_PASSWORD, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  try {
    const initdb = spawn(
      postgresPrograms(user).initdb,
      [
        `--pgdata=${directory}`,
        '--username=supabase_admin',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--no-sync',
        '--no-instructions',
        ...LOCALE,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], cwd: directory, ...user },
    );
    const [errors, [code]] = await Promise.all([text(initdb.stderr ?? []), once(initdb, 'close')]);
    if (code !== 0) throw new UserError(`PostgreSQL could not create its data directory: ${errors.trim()}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}
