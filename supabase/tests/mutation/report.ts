import type { AccessResult } from './access.ts';
import { EQUIVALENT } from './equivalent.ts';
import type { Hunted } from './hunt.ts';
import { confidence } from './sample.ts';

interface Damage {
  target: string;
  change: string;
}

/** What a sample represents. */
interface Population {
  total: number;
  seed: number;
}

const nameOf = ({ target, change }: Damage): string => `${target}: ${change}`;

/** Whether the mutation has no observable effect. */
export const isEquivalent = (damage: Damage): boolean => nameOf(damage) in EQUIVALENT;

/** The page docs/mutation-results.md. */
export function report(access: AccessResult, hunted: Hunted[], { total, seed }: Population): string {
  const asked = hunted.filter(({ noticedBy }) => noticedBy !== undefined);
  const mutants = asked.map(({ mutant }) => mutant);
  const survivors = asked.filter(({ noticedBy }) => noticedBy === null).map(({ mutant }) => mutant);
  const isSample = hunted.length < total;
  const command = isSample
    ? `npm run test:mutation -- --sample ${hunted.length} --seed ${seed}`
    : 'npm run test:mutation';
  return `# Do the tests notice damage?

Written by \`${command}\`, which repeats it; edit the script, not this page.

## Who may do what

Each policy, table and function of the database is damaged in turn, and the matrix of \`supabase/tests/access-matrix.test.ts\` and
\`function-audit.test.ts\` is asked again. Policies are dropped, made always true or false, and lose each of their terms; tables lose row
level security, get a policy or a grant too many; procedures are opened to one more role; the helpers that policies ask answer wrongly.

${byKind(access.mutants, access.survivors, ['policy', 'table', 'function'])}

${list(access.survivors)}

## What the procedures do

Each function, trigger, check constraint and unique index is damaged in turn, and each test of the database that reaches the damaged
place is run again, in its file's own database, whose rows are put back after each run; the files that say most about it come first. A
test has noticed if it fails, and passes without the damage before and after that. Conditions are decided or lose a term, comparisons and
numbers change, signs and the two sides of a transfer are swapped, negations go, and so do statements that write or refuse and the locks
of rows. Tests that compare the text of the database, or its plans, do not count, nor do those that take more than 20 seconds. A test
that takes too long, which is 40 seconds, has noticed only if it does so twice.

${
  isSample
    ? `${sampleNote(hunted, total, seed)}
`
    : ''
}
${byKind(mutants, survivors, ['function', 'trigger', 'constraint', 'index'])}

${list(survivors)}

### By schema file

${table(
  'schema file',
  [...Map.groupBy(mutants, ({ domain }) => domain)].sort(([a], [b]) => a.localeCompare(b)),
  survivors,
)}
`;
}

function sampleNote(hunted: Hunted[], total: number, seed: number): string {
  const noticed = hunted.filter(({ noticedBy }) => noticedBy).length;
  const survivors = hunted.filter(({ noticedBy }) => noticedBy === null).map(({ mutant }) => mutant);
  const effective = hunted.length - survivors.filter(isEquivalent).length;
  const drawn = `There are ${total} mutants of this kind. ${hunted.length} of them were drawn (seed ${seed}), from each schema file and kind in
proportion.`;
  const unanswered = hunted.length - noticed - survivors.length;
  if (unanswered > 0)
    return `${drawn} The run ended early: ${noticed} are noticed, ${survivors.length} survive all files, and of ${unanswered} not every
file has been asked. So between ${percent(noticed, effective)} and ${percent(noticed + unanswered, effective)} of the sample are noticed;
it says nothing sure about the whole yet. The same command goes on. The tables below know only those with an answer, which are
noticed more often than the rest.`;
  const [low, high] = confidence(noticed, effective);
  return `${drawn} Of all that have an effect, between ${percent(low, 1)} and ${percent(high, 1)} are noticed (95 % confidence).`;
}

const byKind = (mutants: Damage[], survivors: Damage[], kinds: string[]): string =>
  table(
    'damaged',
    kinds.map((kind) => [kind, mutants.filter(({ target }) => target.startsWith(`${kind} `))]),
    survivors,
  );

function table(title: string, rows: [name: string, mutants: Damage[]][], survivors: Damage[]): string {
  const line = (name: string, mutants: Damage[]) => {
    const alive = mutants.filter((mutant) => survivors.includes(mutant));
    const equivalent = alive.filter(isEquivalent).length;
    const noticed = mutants.length - alive.length;
    const share = percent(noticed, mutants.length - equivalent);
    return `| ${name} | ${mutants.length} | ${noticed} | ${equivalent} | ${alive.length - equivalent} | ${share} |`;
  };
  return [
    `| ${title} | mutants | noticed | without effect | gaps | noticed of those with effect |`,
    '|---|---|---|---|---|---|',
    ...rows.map(([name, mutants]) => line(name, mutants)),
    line(
      'all',
      rows.flatMap(([, mutants]) => mutants),
    ),
  ].join('\n');
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;

function list(survivors: Damage[]): string {
  const lines = survivors.map((mutant) => `- ${nameOf(mutant)}. ${EQUIVALENT[nameOf(mutant)] ?? '**A gap.**'}`).sort();
  return `### Not noticed\n\n${lines.length === 0 ? 'None.' : lines.join('\n')}`;
}
