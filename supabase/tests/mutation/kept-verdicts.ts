import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Verdict } from './worker.ts';

interface KeptVerdict extends Verdict {
  key: string;
  /** Hashes of the test files that decided it. */
  files: Record<string, string>;
}

/** Verdicts of earlier runs. One holds as long as the mutant and the test files that decided it are the same. */
export class KeptVerdicts {
  readonly #path: string;
  readonly #verdicts = new Map<string, KeptVerdict>();

  constructor(path: string) {
    this.#path = path;
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
      const verdict: KeptVerdict = JSON.parse(line);
      this.#verdicts.set(verdict.key, verdict);
    }
  }

  find(key: string, files: string[], hashes: Map<string, string>): Verdict | undefined {
    const kept = this.#verdicts.get(key);
    if (!kept) return undefined;
    const isSame = (file: string) => hashes.get(file) !== undefined && kept.files[file] === hashes.get(file);
    const deciding = kept.noticedBy ? [kept.noticedBy.file] : files;
    return deciding.every(isSame) ? kept : undefined;
  }

  keep(key: string, verdict: Verdict, files: string[], hashes: Map<string, string>): void {
    const deciding = verdict.noticedBy ? [verdict.noticedBy.file] : files;
    const kept = { key, ...verdict, files: Object.fromEntries(deciding.map((file) => [file, hashes.get(file) ?? ''])) };
    this.#verdicts.set(key, kept);
    appendFileSync(this.#path, `${JSON.stringify(kept)}\n`);
  }
}
