import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../paths.ts';

/** Writes docs/mutation-results-client.md from the report of `stryker run`. */

type Mutant = { status: string; mutatorName: string; replacement: string; location: { start: { line: number } } };
type Report = { files: Record<string, { mutants: Mutant[]; source: string }> };

const report: Report = JSON.parse(readFileSync(join(PROJECT_ROOT, 'test-results/mutation-client.json'), 'utf8'));
const isKilled = ({ status }: Mutant) => status === 'Killed' || status === 'Timeout';
const isAlive = ({ status }: Mutant) => status === 'Survived' || status === 'NoCoverage';

const files = Object.entries(report.files).map(([path, { mutants, source }]) => {
  const lines = source.split('\n');
  const alive = mutants.filter(isAlive).map(({ status, mutatorName, replacement, location: { start } }) => ({
    where: `${path}:${start.line}`,
    what: `${mutatorName} → \`${replacement.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 60)}\``,
    line: `\`${(lines[start.line - 1] ?? '').trim().replaceAll('|', '\\|').slice(0, 80)}\``,
    status: status === 'NoCoverage' ? 'no test' : 'survived',
  }));
  return { path, killed: mutants.filter(isKilled).length, alive };
});

const killed = files.reduce((sum, file) => sum + file.killed, 0);
const alive = files.flatMap((file) => file.alive);
const score = ((killed / (killed + alive.length)) * 100).toFixed(1);

const table = [
  '# Mutation run of the client’s rules',
  '',
  '`npm run test:mutation:client` changes one thing at a time in rules, schemas, queries and mutations of `src/features` and',
  '`src/lib`, and runs the tests of `*.test.ts` files that reach it. Screens are left out: browser and component tests prove them.',
  '',
  `**${killed} of ${killed + alive.length} mutants were killed: ${score} %.** ${files.length} files.`,
  '',
  '| place | line | mutant | result |',
  '|---|---|---|---|',
  ...alive.map(({ where, line, what, status }) => `| ${where} | ${line} | ${what} | ${status} |`),
  '',
].join('\n');
writeFileSync(join(PROJECT_ROOT, 'docs/mutation-results-client.md'), table);
