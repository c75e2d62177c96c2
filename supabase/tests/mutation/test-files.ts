import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../local/paths.ts';

/** Tests that check the text of the database instead of its behaviour: they would notice any change, even a harmless one. */
const TEXTUAL = ['function-audit', 'errors', 'plans', 'cli'].map((name) => `supabase/tests/${name}.test.ts`);

/** The text of a test file, divided so that a test's verdict remains valid when another test is added or changed. */
export class TestFile {
  /** Of the whole text. */
  readonly hash: string;
  /** Of everything outside the tests, and of one top-level test or `describe`, by the line on which it begins. */
  readonly #blocks = new Map<number, string>();

  constructor(text: string) {
    this.hash = hashOf(text);
    const outside: string[] = [];
    const blocks = new Map<number, string[]>();
    let block: string[] | undefined;
    for (const [index, line] of text.split('\n').entries()) {
      if (!block && /^(test|describe)\b/.test(line)) {
        block = [];
        blocks.set(index + 1, block);
      }
      if (line !== '') (block ?? outside).push(line);
      if (/^\S.*;$/.test(line)) block = undefined;
    }
    for (const [line, lines] of blocks) this.#blocks.set(line, hashOf(...outside, ...lines));
  }

  /** Of what the test on this line depends on within the file. */
  hashAround(line: number | undefined): string {
    const begin = [...this.#blocks.keys()].findLast((begin) => begin <= (line ?? 0));
    return this.#blocks.get(begin ?? 0) ?? this.hash;
  }

  /** Whether the file still contains a test whose dependencies have this hash. */
  holds = (hash: string): boolean => hash === this.hash || [...this.#blocks.values()].includes(hash);
}

/** The test files that mutants are tried on. */
export function testFiles(): Map<string, TestFile> {
  const files = globSync('supabase/tests/*.test.ts', { cwd: PROJECT_ROOT }).filter((file) => !TEXTUAL.includes(file));
  return new Map(files.sort().map((file) => [file, new TestFile(readFileSync(join(PROJECT_ROOT, file), 'utf8'))]));
}

export const hashOf = (...texts: string[]): string =>
  createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 24);
