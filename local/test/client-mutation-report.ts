import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../paths.ts';
import { FOLDERS, mutableFiles } from './client-mutation.ts';

/**
 * Writes docs/mutation-results-client.md from the report of `stryker run`, which includes the files of earlier runs. Exits with 1 when too
 * few mutants are killed.
 */

/** Percent of the mutants that must be killed. */
const GOAL = 85;

interface Mutant {
  status: string;
  mutatorName: string;
  replacement: string;
  location: { start: { line: number } };
}

interface Report {
  files: Record<string, { mutants: Mutant[]; source: string }>;
}

const report: Report = JSON.parse(readFileSync(join(PROJECT_ROOT, 'test-results/mutation-client.json'), 'utf8'));
const isKilled = ({ status }: Mutant) => status === 'Killed' || status === 'Timeout';
const isAlive = ({ status }: Mutant) => status === 'Survived' || status === 'NoCoverage';

const files = Object.entries(report.files)
  .map(([path, { mutants, source }]) => {
    const lines = source.split('\n');
    const alive = mutants.filter(isAlive).map(({ status, mutatorName, replacement, location: { start } }) => ({
      where: `${path}:${start.line}`,
      what: `${mutatorName} → \`${oneLine(replacement, 60)}\``,
      line: `\`${oneLine(lines[start.line - 1] ?? '', 80)}\``,
      status: status === 'NoCoverage' ? 'no test' : 'survived',
    }));
    const tooLong = mutants.filter(({ status }) => status === 'Timeout').length;
    return { path, killed: mutants.filter(isKilled).length, tooLong, alive };
  })
  .filter(({ killed, alive }) => killed + alive.length > 0)
  .sort((a, b) => a.path.localeCompare(b.path));

const killed = sum(files.map((file) => file.killed));
const tooLong = sum(files.map((file) => file.tooLong));
const alive = files.flatMap((file) => file.alive);
const open = mutableFiles().filter((path) => !(path in report.files));

const folders = FOLDERS.map((path) => {
  const own = files.filter((file) => file.path.startsWith(`${path}/`));
  const openFiles = open.filter((file) => file.startsWith(`${path}/`)).length;
  return {
    path,
    openFiles,
    killed: sum(own.map((file) => file.killed)),
    alive: sum(own.map((file) => file.alive.length)),
  };
});

const page = [
  '# Mutation run of the client’s rules',
  '',
  'Written by `npm run test:mutation:client`; edit the script, not this page. It changes one thing at a time in rules, schemas, queries',
  'and mutations of `src/features` and `src/lib`, and runs those tests of the same folder that reach it: `*.test.ts` alone, for `src/lib`',
  'also those of the pages that the hosts send. Screens, hooks of screens and what only passes things on to the browser are left out (see',
  '`stryker.config.json`): browser and component tests prove them. So are values that are computed once when a file is loaded. One file:',
  '`npm run test:mutation:client -- --mutate src/lib/csv.ts`; what was found out about the others is kept in',
  '`.local/mutation-client.json`.',
  '',
  `**${killed} of ${killed + alive.length} mutants were killed: ${percent(killed, alive.length)}.** ${files.length} files. ${tooLong} of them only because`,
  'the tests did not come to an end.',
  '',
  open.length === 0
    ? 'No file is left to be asked.'
    : `**${open.length} files have not been asked yet**; they are named below.`,
  '',
  '| folder | mutants | killed | score | files not asked yet |',
  '|---|---|---|---|---|',
  ...folders.map((folder) => `| ${folder.path} | ${scoreCells(folder.killed, folder.alive)} | ${folder.openFiles} |`),
  '',
  '## Files',
  '',
  '| file | mutants | killed | score |',
  '|---|---|---|---|',
  ...files.map((file) => `| ${file.path} | ${scoreCells(file.killed, file.alive.length)} |`),
  ...(open.length === 0 ? [] : ['', '## Not asked yet', '', ...open.map((path) => `- ${path}`)]),
  '',
  '## Not killed',
  '',
  '| place | line | mutant | result |',
  '|---|---|---|---|',
  ...alive.map(({ where, line, what, status }) => `| ${where} | ${line} | ${what} | ${status} |`),
  '',
].join('\n');
writeFileSync(join(PROJECT_ROOT, 'docs/mutation-results-client.md'), page);
if (100 * killed < GOAL * (killed + alive.length)) process.exitCode = 1;

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function scoreCells(part: number, rest: number): string {
  return part + rest === 0 ? '0 | 0 | –' : `${part + rest} | ${part} | ${percent(part, rest)}`;
}

function percent(part: number, rest: number): string {
  return `${((100 * part) / Math.max(part + rest, 1)).toFixed(1)} %`;
}

function oneLine(text: string, length: number): string {
  return text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, length);
}
