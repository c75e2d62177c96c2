import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeDirectory } from '../database/postgres-home.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { endOrphans } from './orphans.ts';
import { processIdentity } from './process-identity.ts';
import { codeOf, UserError } from './user-error.ts';

const claimSchema = z.object({ pid: z.number(), identity: z.string(), url: z.string().optional() });
const claimFile = (directory: string) => join(directory, 'running.json');

/** The right to use a state directory: two stacks on one data directory would damage it. */
export interface Claim {
  /** The message for a second start. */
  setUrl(url: string): void;
  release(): void;
}

/** The stack that is running in this directory, if any. Leftovers of a `kill -9` do not count. */
function running(directory: string): z.infer<typeof claimSchema> | undefined {
  const claim = readJsonFile(claimFile(directory), claimSchema);
  return claim && processIdentity(claim.pid) === claim.identity ? claim : undefined;
}

/** Whether a stack ended here without cleaning up. */
export const isAbandoned = (directory: string): boolean => existsSync(claimFile(directory)) && !isRunning(directory);

export const isRunning = (directory: string): boolean => running(directory) !== undefined;

/** Takes the directory for this process and ends what an earlier stack left running in it. */
export async function claimDirectory(directory: string): Promise<Claim> {
  makeDirectory(directory);
  const file = claimFile(directory);
  const own = { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
  while (!writeNew(file, JSON.stringify(own))) {
    const other = running(directory);
    if (other) {
      throw new UserError(
        `Questboard is running already${other.url ? ` at ${other.url}` : ''} (process ${other.pid}).`,
      );
    }
    rmSync(file, { force: true });
  }
  await endOrphans(directory);
  return {
    setUrl: (url) => writeJsonFile(file, { ...own, url }),
    release: () => rmSync(file, { force: true }),
  };
}

function writeNew(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) {
      throw new UserError(`No permission to write ${file}; Questboard keeps its local data there.`);
    }
    throw error;
  }
}
