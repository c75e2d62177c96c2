import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDirectory } from './database/data-directory.ts';
import type { PartFailure } from './process/child.ts';
import { isAbandoned } from './process/claim.ts';
import { endOrphans } from './process/orphans.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

const PREFIX = 'questboard-stack-';

export type ThrowAwayOptions = Partial<Pick<StackOptions, 'isSeeded' | 'deliversEvents' | 'onProgress' | 'onFailure'>>;

/** A stack of its own on free ports in a temporary directory; `stop()` deletes the directory too. */
export async function startThrowAwayStack(options: ThrowAwayOptions = {}): Promise<Stack> {
  await removeAbandoned();
  const directory = mkdtempSync(join(tmpdir(), PREFIX));
  // When we are root, the database server runs as another user, who has to get in.
  chmodSync(directory, 0o711);
  const remove = () => removeStack(directory);
  try {
    const stack = await startStack({
      isSeeded: true,
      // Tests compare what is stored before and after, so nothing may change by itself.
      deliversEvents: false,
      onFailure: reportFailure,
      ...options,
      directory,
      ports: 'free',
      isDurable: false,
    });
    return {
      ...stack,
      stop: async () => {
        await stack.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function removeStack(directory: string): void {
  removeDataDirectory(directory);
  rmSync(directory, { recursive: true, force: true });
}

/** What test runs that were ended by `kill -9` left running and lying about. */
async function removeAbandoned(): Promise<void> {
  const directories = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
  for (const directory of directories.map((name) => join(tmpdir(), name))) {
    if (!isAbandoned(directory)) continue;
    await endOrphans(directory);
    removeStack(directory);
  }
}

function reportFailure({ name, lastLines }: PartFailure): void {
  console.error(`${name} ended unexpectedly.\n${lastLines.join('\n')}`);
}
