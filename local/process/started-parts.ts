import type { Child } from './child.ts';
import { startGuardian } from './guardian.ts';
import { endOrphans, ProcessRecords } from './orphans.ts';
import { messageOf } from './user-error.ts';

type Close = () => Promise<void>;

/** What has been started so far and how to stop it: first everything that talks to the database, then the database. */
export class StartedParts {
  readonly #directory: string;
  readonly #records: ProcessRecords;
  readonly #users: Close[] = [];
  readonly #dismissGuardian: () => void;
  #database: Close | undefined;

  constructor(directory: string, { isEphemeral }: { isEphemeral: boolean }) {
    this.#directory = directory;
    this.#records = new ProcessRecords(directory);
    this.#dismissGuardian = startGuardian({ directory, isEphemeral });
  }

  /** The `onSpawn` of a process. It is recorded before it is ready, because a `kill -9` in between would leave it behind. */
  record(name: string): (pid: number) => void {
    return (pid) => this.#records.add(name, pid);
  }

  addDatabase(child: Child): void {
    this.#database = () => child.stop();
  }

  addChild(child: Child): void {
    this.#users.push(() => child.stop());
  }

  /** For parts inside this process. */
  add(close: Close): void {
    this.#users.push(close);
  }

  async stop(): Promise<void> {
    const results = await Promise.allSettled(this.#users.splice(0).map((close) => close()));
    for (const result of results) {
      if (result.status === 'rejected') console.error(`A part did not stop cleanly: ${messageOf(result.reason)}`);
    }
    await this.#database?.();
    // Leftovers recorded by other processes of this directory, such as an aborted test file.
    await endOrphans(this.#directory);
    this.#records.clear();
    this.#dismissGuardian();
  }
}

/**
 * Like Promise.all, but on failure still waits for the others, so that everything they started is known and stopped.
 */
export async function settleAll(promises: Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}
