import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Reach } from './session.ts';
import type { TestFile } from './test-files.ts';

interface KeptReach {
  /** Hash of the test file's text. */
  hash: string;
  reach: Reach;
}

/** What the tests of each file were found to reach, saved between runs until the file changes. */
export class KeptReaches {
  readonly #path: string;
  readonly #files: Map<string, TestFile>;
  readonly #kept: Map<string, KeptReach>;

  constructor(path: string, files: Map<string, TestFile>) {
    this.#path = path;
    this.#files = files;
    this.#kept = new Map(existsSync(path) ? Object.entries(JSON.parse(readFileSync(path, 'utf8'))) : []);
  }

  /** The files whose reach is known, as far as it is still valid. */
  all = (): Map<string, Reach> =>
    new Map(
      [...this.#kept].flatMap(([file, { hash, reach }]) =>
        this.#files.get(file)?.hash === hash ? [[file, reach]] : [],
      ),
    );

  keep(file: string, reach: Reach): void {
    this.#kept.set(file, { hash: this.#files.get(file)?.hash ?? '', reach });
    writeFileSync(this.#path, JSON.stringify(Object.fromEntries(this.#kept)));
  }
}
