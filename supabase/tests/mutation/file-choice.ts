import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { type CallGraph, mentions, nameOf } from './call-graph.ts';
import type { Reach } from './session.ts';

/** `flag` and `submission` of `32_submission_signals.sql` or `submission-flags.test.ts`. */
const wordsIn = (name: string): string[] =>
  (name.match(/[a-z]{4,}/g) ?? []).map((word) => word.replace(/(ed|ing|s)$/, ''));

const texts = new Map<string, string>();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(PROJECT_ROOT, file), 'utf8');
  texts.set(file, text);
  return text;
}

/**
 * The test files most relevant to a function or a table, of those that reach it: by how many of their tests do, how little else these
 * reach, whether the file names it, and whether the file's own name matches it or its schema file.
 */
export function chooseFiles(
  graph: CallGraph,
  { reachedBy: subject, domain }: { reachedBy: string; domain: string },
  reach: Map<string, Reach>,
  most: number,
): string[] {
  const name = nameOf(subject);
  const called = new Set(wordsIn(`${name} ${domain}`));
  const chosen = [...reach]
    .map(([file, tests]) => {
      const reaching = Object.values(tests).filter((names) => names.includes(name));
      const near = reaching.reduce((sum, names) => sum + 1 / names.length, 0);
      const alike = wordsIn(basename(file, '.test.ts')).filter((word) => called.has(word)).length;
      return { file, score: near * (1 + 3 * alike) * (mentions(textOf(file), name) > 0 ? 4 : 1) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ file }) => file);
  // These two are about every table.
  const matrix = mentions(graph.policies, name) > 0 ? ['supabase/tests/access-matrix.test.ts'] : [];
  const constraints = subject.startsWith('table ') ? ['supabase/tests/constraints.test.ts'] : [];
  return [...new Set([...constraints, ...matrix, ...chosen])].slice(0, most);
}
