import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { TestFile } from './test-files.ts';

interface KeptVerdict {
  key: string;
  file: string;
  /** Hash of the whole file when all its tests passed, otherwise of what the test depends on. */
  hash: string;
  /** The test that noticed, null when the whole file passed. */
  test: string | null;
}

/** Verdicts of test files on mutants in earlier runs. Each is valid as long as neither the mutant nor the test has changed. */
export class KeptVerdicts {
  readonly #path: string;
  readonly #files: Map<string, TestFile>;
  readonly #tests = new Map<string, string | null>();

  constructor(path: string, files: Map<string, TestFile>) {
    this.#path = path;
    this.#files = files;
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
      const { key, file, hash, test }: KeptVerdict = JSON.parse(line);
      const now = files.get(file);
      if (test === null ? now?.hash === hash : now?.holds(hash)) this.#tests.set(`${key} ${file}`, test);
    }
  }

  /** The test of this file that noticed, null when none did, undefined when it has not been run. */
  find = (key: string, file: string): string | null | undefined => this.#tests.get(`${key} ${file}`);

  /** Hash of the test file's current text. */
  hashOf = (file: string): string => this.#files.get(file)?.hash ?? '';

  /** Saves the test that noticed with its line number, or null when the whole file passed. */
  keep(key: string, file: string, test: string | null, line?: number): void {
    this.#tests.set(`${key} ${file}`, test);
    const hash = (test === null ? undefined : this.#files.get(file)?.hashAround(line)) ?? this.hashOf(file);
    const verdict: KeptVerdict = { key, file, hash, test };
    appendFileSync(this.#path, `${JSON.stringify(verdict)}\n`);
  }
}
