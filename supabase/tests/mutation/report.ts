import type { AccessResult } from './access.ts';
import { EQUIVALENT } from './equivalent.ts';
import type { Hunted } from './hunt.ts';

interface Damage {
  target: string;
  change: string;
}

const nameOf = ({ target, change }: Damage): string => `${target}: ${change}`;

/** Whether the damage changes nothing that anybody could see. */
export const isEquivalent = (damage: Damage): boolean => nameOf(damage) in EQUIVALENT;

/** The page docs/mutation-results.md. */
export function report(access: AccessResult, hunted: Hunted[], _population: { total: number; seed: number }): string {
  const asked = hunted.filter(({ noticedBy }) => noticedBy !== undefined);
  const survivors = asked.filter(({ noticedBy }) => noticedBy === null).map(({ mutant }) => mutant);
  return `# Do the tests notice damage?

Written by \`npm run test:mutation\`; edit the script, not this page.

## Who may do what

Each policy, table and function of the database is damaged in turn, and the matrix of \`supabase/tests/access-matrix.test.ts\` and
\`function-audit.test.ts\` is asked again. Policies are dropped, made always true or false, and lose each of their terms; tables lose row
level security, get a policy or a grant too many; procedures are opened to one more role; the helpers that policies ask answer wrongly.

${table(access.mutants, access.survivors, ['policy', 'table', 'function'])}

${list(access.survivors)}

## What the procedures do

Each function, trigger, check constraint and unique index is damaged in turn, and the four test files that say most about it are asked:
each of their tests that reaches the damaged place is run again, in the file's own database, and again without the
damage. Conditions are decided or lose a term, comparisons and numbers change,
signs and the two sides of a transfer are swapped, negations go, and so do statements that write or refuse and the locks of rows. Tests
that compare the text of the database, or its plans, do not count.

${table(
  asked.map(({ mutant }) => mutant),
  survivors,
  ['function', 'trigger', 'constraint', 'index'],
)}
${asked.length < hunted.length ? `\nNot asked yet: ${hunted.length - asked.length} more mutants.\n` : ''}
${list(survivors)}
`;
}

function table(mutants: Damage[], survivors: Damage[], kinds: string[]): string {
  const line = (name: string, all: Damage[]) => {
    const alive = all.filter((mutant) => survivors.includes(mutant));
    const equivalent = alive.filter(isEquivalent).length;
    const noticed = all.length - alive.length;
    return `| ${name} | ${all.length} | ${noticed} | ${equivalent} | ${alive.length - equivalent} | ${percent(noticed, all.length - equivalent)} |`;
  };
  return [
    '| damaged | mutants | noticed | without effect | gaps | noticed of those with effect |',
    '|---|---|---|---|---|---|',
    ...kinds.map((kind) =>
      line(
        kind,
        mutants.filter(({ target }) => target.startsWith(`${kind} `)),
      ),
    ),
    line('all', mutants),
  ].join('\n');
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;

function list(survivors: Damage[]): string {
  const lines = survivors.map((mutant) => `- ${nameOf(mutant)}. ${EQUIVALENT[nameOf(mutant)] ?? '**A gap.**'}`).sort();
  return `### Not noticed\n\n${lines.length === 0 ? 'None.' : lines.join('\n')}`;
}
