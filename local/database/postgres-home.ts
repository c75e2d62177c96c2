import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, UserError } from '../process/user-error.ts';
import { canEnter, type PostgresUser } from './postgres-user.ts';

/**
 * A directory for files that the server must reach: `directory` itself, or, when the server runs as another user who
 * may not enter it (a checkout in root's home), one of the same purpose below the system's temporary directory.
 */
export function reachableDirectory(directory: string, user: PostgresUser | undefined): string {
  makeDirectory(directory);
  if (canEnter(directory, user)) return directory;
  const name = `questboard-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}`;
  for (const base of new Set([tmpdir(), '/var/tmp', '/tmp'])) {
    if (!canEnter(base, user)) continue;
    const fallback = join(base, name);
    makeDirectory(fallback);
    refuseForeign(fallback);
    chmodSync(fallback, 0o711);
    return fallback;
  }
  throw new UserError(`The user "postgres" can enter neither ${directory} nor a temporary directory.`);
}

/** Creates a directory or throws one sentence with the reason. */
export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) throw error;
    throw new UserError(`No permission to write ${directory}; Questboard keeps its local data there.`);
  }
}

/** The name is guessable, so somebody else may have created it before us. */
function refuseForeign(directory: string): void {
  const stat = lstatSync(directory);
  if (stat.isDirectory() && stat.uid === process.getuid?.()) return;
  throw new UserError(`${directory} belongs to another user; remove it, Questboard needs that directory.`);
}
