import type { Mutant } from './mutants.ts';

/** What survives although nothing is wrong: the reason, by the beginning of its line in the report. */
const EQUIVALENT: Record<string, string> = {
  'policy app_settings_read on public.app_settings: always true':
    'No change: the one row is public, and its secret column is held by a grant.',
  'policy campaigns_read_public on public.campaigns: for signed-in people too':
    'No change: signed-in people see published quests by their own policy.',
  'policy metrics_events_insert on public.metrics_events: always true':
    'No change: a trigger sets the person before the policy looks.',
  'table public.app_settings: no row level security':
    'No change: the one row is public, and its secret column is held by a grant.',
  'table public.app_settings: a second policy that lets everybody read':
    'No change: the one row is public, and its secret column is held by a grant.',
  'table public.metrics_events: insert for signed-in people':
    'No change: the columns that this adds are set by the identity and by a trigger.',
};

/** The page docs/mutation-results.md. */
export function report(mutants: Mutant[], survivors: Mutant[]): string {
  const kinds = ['policy', 'table', 'function'].map((kind) => {
    const all = mutants.filter((mutant) => mutant.target.startsWith(`${kind} `));
    const noticed = all.filter((mutant) => !survivors.includes(mutant));
    return `| ${kind} | ${all.length} | ${noticed.length} |`;
  });
  const noticed = mutants.length - survivors.length;
  return `# Does the access matrix notice damage?

Written by \`npm run test:mutation\`; edit the script, not this page.

Each policy, table and function of the database is damaged in turn, and the matrix of \`supabase/tests/access-matrix.test.ts\` and
\`function-audit.test.ts\` is asked again. Policies are dropped, made always true or false, and lose each of their terms; tables lose row
level security, get a policy or a grant too many; procedures are opened to one more role; the helpers that policies ask answer wrongly.

| damaged | mutants | noticed |
|---|---|---|
${kinds.join('\n')}
| all | ${mutants.length} | ${noticed} (${((100 * noticed) / mutants.length).toFixed(1)} %) |

## Not noticed

${survivors.length === 0 ? 'None.' : survivors.map(line).join('\n')}
`;
}

function line(mutant: Mutant): string {
  const text = `${mutant.target}: ${mutant.change}`;
  return `- ${text}. ${EQUIVALENT[text] ?? '**A gap.**'}`;
}
