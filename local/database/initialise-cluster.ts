import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { BOOTSTRAP_FILE } from '../paths.ts';
import { UserError } from '../process/user-error.ts';
import { DATABASE_PASSWORD } from './connection.ts';
import type { PostgresUser } from './postgres-user.ts';
import { postgresPrograms } from './programs.ts';

/**
 * Order and letter case as on the hosted platform, which makes its clusters with this ICU locale. ICU comes with the programs. The system's
 * locale only says what is a letter to text search and trigrams, and C.UTF-8 is the one that every Linux has.
 */
const LOCALE = [
  '--encoding=UTF8',
  '--locale-provider=icu',
  '--icu-locale=en_US.UTF-8',
  `--locale=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
];

/** Hash of everything that a cluster is built from before its first migration. */
export const clusterHash = (): string =>
  createHash('sha256').update(LOCALE.join(' ')).update(readFileSync(BOOTSTRAP_FILE)).digest('hex');

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
