import { databaseSentences } from '@/types/database-errors';
import { functionCodes } from './errors';

const functionErrors = Object.values(
  import.meta.glob<string>('../../supabase/functions/_shared/errors.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n');
const sources = import.meta.glob<string>(
  ['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../**/testing/**', '!../types/**'],
  { query: '?raw', import: 'default', eager: true },
);

it('the list of error codes has none that no edge function answers with', () => {
  expect(functionCodes.filter((code) => !functionErrors.includes(`${code}:`))).toEqual([]);
});

/** Labels such as 'Quest Full' are sentences of refusals, too; only what has three words or more is held to be one. */
const sentences = Object.values(databaseSentences).filter((sentence) => sentence.split(' ').length > 2);

/** String literals and texts of attributes, with a placeholder's value as the catalogue marks it. */
function literalsIn(source: string): string[] {
  const code = source.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, single, double, template]) =>
      (single ?? double ?? template ?? '').replace(/\$\{[^}]*\}/g, '…').replace(/\\(.)/g, '$1'),
  );
}

it('no file types a sentence of the catalogue again: databaseSentences has it', () => {
  expect(sentences.length).toBeGreaterThan(100);
  expect(literalsIn(`\`Please enter a title for Task \${number}.\``)).toEqual([databaseSentences.TASK_TITLE_REQUIRED]);
  const known = new Set<string>(sentences);
  const copies = Object.entries(sources).flatMap(([path, source]) =>
    literalsIn(source)
      .filter((literal) => known.has(literal))
      .map((literal) => `${path}: ${literal}`),
  );
  expect(copies).toEqual([]);
});
