import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

type Running = z.infer<typeof claimSchema>;

/** The stack that is running in this directory, if any. Leftovers of a `kill -9` do not count. */
const running = (directory: string): Running | undefined => alive(claimFile(directory));

function alive(file: string): Running | undefined {
  const claim = readJsonFile(file, claimSchema);
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
  const written = `${file}.${process.pid}`;
  write(written, JSON.stringify(own));
  try {
    while (!linkNew(written, file)) {
      const other = running(directory) ?? removeLeftover(file);
      if (other) {
        throw new UserError(
          `Questboard is running already${other.url ? ` at ${other.url}` : ''} (process ${other.pid}).`,
        );
      }
    }
  } finally {
    rmSync(written, { force: true });
  }
  await endOrphans(directory);
  return {
    setUrl: (url) => writeJsonFile(file, { ...own, url }),
    release: () => rmSync(file, { force: true }),
  };
}

/** A file gets its name with its whole content: one that is still empty would be taken for a leftover. */
function linkNew(written: string, file: string): boolean {
  try {
    linkSync(written, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the claim of a stack that has ended. Another start may have replaced it since it was read: that one is put back, and returned.
 */
function removeLeftover(file: string): Running | undefined {
  const aside = `${file}.${process.pid}.leftover`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const other = alive(aside);
  if (other) linkNew(aside, file);
  rmSync(aside, { force: true });
  return other;
}

function write(file: string, content: string): void {
  try {
    writeFileSync(file, content, { mode: 0o600 });
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) {
      throw new UserError(`No permission to write ${file}; Questboard keeps its local data there.`);
    }
    throw error;
  }
}
