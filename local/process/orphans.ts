import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { processIdentity } from './process-identity.ts';

const recordsSchema = z.record(z.string(), z.object({ pid: z.number(), identity: z.string() }));
type Records = z.infer<typeof recordsSchema>;

const STOP_TIMEOUT_MS = 5_000;

const RECORDS_FILE = /^pids.*\.json$/;

/** Records the started processes on disk, for the guardian and for the start after a `kill -9`. */
export class ProcessRecords {
  readonly #file: string;
  #records: Records = {};

  /** `name` distinguishes the records of several processes that share the directory. */
  constructor(directory: string, name = '') {
    this.#file = join(directory, `pids${name && `-${name}`}.json`);
  }

  add(name: string, pid: number): void {
    const identity = processIdentity(pid);
    if (!identity) return;
    this.#records[name] = { pid, identity };
    writeJsonFile(this.#file, this.#records);
  }

  remove(name: string): void {
    delete this.#records[name];
    writeJsonFile(this.#file, this.#records);
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }
}

/**
 * Ends processes that an earlier stack of this directory left behind. Only a process whose start time and command are
 * the recorded ones is touched. Returns the names of those ended.
 */
export async function endOrphans(directory: string): Promise<string[]> {
  const files = readdirSync(directory).filter((name) => RECORDS_FILE.test(name));
  const records = files.flatMap((name) => Object.entries(readJsonFile(join(directory, name), recordsSchema) ?? {}));
  const orphans = records.filter(([, { pid, identity }]) => processIdentity(pid) === identity);
  await Promise.all(orphans.map(([, { pid }]) => endProcess(pid)));
  return orphans.map(([name]) => name);
}

/** Ends a process that is not a child of this one: SIGINT (a fast, clean stop for Postgres too), then SIGKILL. */
export async function endProcess(pid: number): Promise<void> {
  const identity = processIdentity(pid);
  const isRunning = () => identity !== undefined && processIdentity(pid) === identity;
  send(pid, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isRunning() && Date.now() < deadline) await sleep(20);
  if (isRunning()) send(pid, 'SIGKILL');
  while (isRunning()) await sleep(20);
}

/** Signals its process group if it leads one, like everything that we start, so that its children end too. */
function send(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // It leads no group, or it has ended meanwhile.
    }
  }
}
