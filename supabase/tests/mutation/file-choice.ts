import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { type CallGraph, mentions, nameOf } from './call-graph.ts';
import type { Reach } from './session.ts';

/** Names that lead to a function or table when mentioned, with their distance in steps. */
function namesAround({ bodies, triggers, expressions }: CallGraph, subject: string): Map<string, number> {
  const steps = new Map([[subject, 0]]);
  const queue = [subject];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const next = (steps.get(name) ?? 0) + 1;
    const callers = [...bodies].filter(([, body]) => mentions(body, name) > 0).map(([caller]) => caller);
    const computing = [...expressions].filter(([, text]) => mentions(text, name) > 0).map(([table]) => table);
    for (const caller of [...callers, ...(triggers.get(name) ?? []), ...(bodies.has(name) ? computing : [])]) {
      if (steps.has(caller)) continue;
      steps.set(caller, next);
      queue.push(caller);
    }
  }
  return steps;
}

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
 * The test files that reach a function or a table, the most relevant first: by how often they name it or its callers, how many of their tests
 * reach it and how little else, and whether their own name matches it or its schema file. Those that have not been measured are judged by
 * their text alone.
 */
export function chooseFiles(
  graph: CallGraph,
  { reachedBy: subject, domain }: { reachedBy: string; domain: string },
  reach: Map<string, Reach>,
  unmeasured: string[],
): string[] {
  const name = nameOf(subject);
  const names = namesAround(graph, name);
  const called = new Set(wordsIn(`${name} ${domain}`));
  const chosen = [...reach.keys(), ...unmeasured]
    .map((file) => {
      const text = textOf(file);
      const all = [...graph.bodies.keys()].reduce((sum, other) => sum + mentions(text, other), 1);
      const near = [...names].reduce((sum, [other, steps]) => sum + mentions(text, other) * 0.4 ** steps, 0);
      const reaching = Object.values(reach.get(file) ?? {}).filter((reached) => reached.includes(name));
      const share = reaching.reduce((sum, reached) => sum + 1 / reached.length, 0);
      const alike = wordsIn(basename(file, '.test.ts')).filter((word) => called.has(word)).length;
      const isReaching = reach.has(file) ? reaching.length > 0 : near > 0;
      return { file, isReaching, score: (near / Math.sqrt(all) + share) * (1 + 3 * alike) };
    })
    .filter(({ isReaching }) => isReaching)
    .sort((a, b) => b.score - a.score)
    .map(({ file }) => file);
  // These two are about every table.
  const matrix = mentions(graph.policies, name) > 0 ? ['supabase/tests/access-matrix.test.ts'] : [];
  const constraints = subject.startsWith('table ') ? ['supabase/tests/constraints.test.ts'] : [];
  return [...new Set([...constraints, ...matrix, ...chosen])];
}
