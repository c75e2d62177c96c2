import * as databaseSentences from '@/types/database-errors';
import { toAppError } from './errors';

const sources = import.meta.glob<string>(
  ['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../**/testing/**', '!../types/**'],
  { query: '?raw', import: 'default', eager: true },
);

it('every code of the catalogue is recognised', () => {
  const codes = Object.keys(databaseSentences);
  expect(codes.map((hint) => toAppError({ message: 'A sentence', hint }, 400).code)).toEqual(codes);
});

/** Labels such as 'Quest Full' are also sentences of refusals; only those with three words or more are checked. */
const sentences = Object.values(databaseSentences).filter((sentence) => sentence.split(' ').length > 2);

/** String literals and attribute texts, with placeholders as the catalogue marks them. */
function literalsIn(source: string): string[] {
  const code = source.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, single, double, template]) =>
      (single ?? double ?? template ?? '').replace(/\$\{[^}]*\}/g, '…').replace(/\\(.)/g, '$1'),
  );
}

it('no file repeats a sentence of the catalogue: databaseSentences has it', () => {
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
