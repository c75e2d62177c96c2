import { appendFileSync, existsSync, readFileSync } from 'node:fs';

interface KeptVerdict {
  key: string;
  file: string;
  /** Of the test file's text. */
  hash: string;
  /** The test that noticed, null when the whole file passed. */
  test: string | null;
}

/** What test files said about mutants in earlier runs. It holds as long as neither the mutant nor the file has changed. */
export class KeptVerdicts {
  readonly #path: string;
  readonly #hashes: Map<string, string>;
  readonly #tests = new Map<string, string | null>();

  constructor(path: string, hashes: Map<string, string>) {
    this.#path = path;
    this.#hashes = hashes;
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
      const { key, file, hash, test }: KeptVerdict = JSON.parse(line);
      if (hash === hashes.get(file)) this.#tests.set(`${key} ${file}`, test);
    }
  }

  /** The test of this file that noticed, null when none did, undefined when it has not been asked. */
  find = (key: string, file: string): string | null | undefined => this.#tests.get(`${key} ${file}`);

  keep(key: string, file: string, test: string | null): void {
    this.#tests.set(`${key} ${file}`, test);
    const verdict: KeptVerdict = { key, file, hash: this.#hashes.get(file) ?? '', test };
    appendFileSync(this.#path, `${JSON.stringify(verdict)}\n`);
  }
}
