import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDirectory } from './database/data-directory.ts';
import { isAbandoned } from './process/claim.ts';
import { endOrphans } from './process/orphans.ts';

const PREFIX = 'questboard-ephemeral-';

export interface EphemeralDirectory {
  path: string;
  remove(): void;
}

/** A state directory below the system's temporary one. Also removes those of test runs that were ended by `kill -9`. */
export async function makeEphemeralDirectory(): Promise<EphemeralDirectory> {
  await removeAbandoned();
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  // As root, the database server runs as another user, who needs access.
  chmodSync(path, 0o711);
  return { path, remove: () => removeState(path) };
}

/** Including the database's own directory, which may be elsewhere. */
export function removeState(directory: string): void {
  removeDataDirectory(directory);
  // A process that is still shutting down may write a last file.
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

async function removeAbandoned(): Promise<void> {
  const directories = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
  for (const directory of directories.map((name) => join(tmpdir(), name))) {
    if (!isAbandoned(directory)) continue;
    await endOrphans(directory);
    removeState(directory);
  }
}
