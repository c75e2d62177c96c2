import { type Change, Code, shorten } from './code.ts';
import { branchConditions, caseConditions, junctions, singleFilters } from './conditions.ts';
import { applyEdit, textBetween } from './tokens.ts';

/** One mutated version of a piece of SQL or PL/pgSQL. */
export interface CodeMutant {
  /** What was changed, in words. */
  change: string;
  code: string;
}

type Rule = (code: Code) => Change[];

const TRUTH: Record<string, string> = { true: 'false', false: 'true' };

/** `if` and `elsif` with a condition that is always true or always false. */
const decidedConditions: Rule = (code) =>
  branchConditions(code).flatMap(([from, to]) =>
    ['false', 'true'].flatMap((value) => code.replace(from, to, value, `always ${value}:`)),
  );

const decidedCases: Rule = (code) =>
  caseConditions(code).flatMap(([from, to]) => code.replace(from, to, 'false', 'never the case:'));

/** `a and b` and `a or b` without one of the two. */
const droppedTerms: Rule = (code) =>
  junctions(code).flatMap(({ word, left, right }) => [
    ...code.replace(left[0], word, '', 'without'),
    ...code.replace(word, right[1], '', 'without'),
  ]);

/** `where` with a single condition, and `having`, that let every row through. */
const openedFilters: Rule = (code) =>
  singleFilters(code).flatMap(([from, to]) => code.replace(from, to, 'true', 'everything instead of'));

const COMPARISONS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  '!=': '=',
};

const comparisons: Rule = (code) =>
  code
    .where((token, index) => token.kind === 'symbol' && token.text in COMPARISONS && !isAssignment(code, index))
    // The other value is covered by the mutants of the whole condition.
    .filter((index) => !(/^(=|<>|!=)$/.test(code.at(index)?.text ?? '') && isWholeCondition(code, index)))
    .filter((index) => !isWithTheClock(code, index))
    .flatMap((index) => {
      const [from, to] = around(code, index);
      const by = COMPARISONS[code.at(index)?.text ?? ''] ?? '';
      const old = textBetween(code.text, code.at(from)?.start ?? 0, code.at(to)?.end ?? 0);
      return code.replace(index, index, by).map((change) => ({ ...change, change: `"${by}" in "${shorten(old)}"` }));
    });

/** `a < now()` and `a <= now()` differ for a single microsecond. */
function isWithTheClock(code: Code, index: number): boolean {
  if (!/^[<>]=?$/.test(code.at(index)?.text ?? '')) return false;
  const [from, to] = around(code, index);
  return code.tokens.slice(from, to + 1).some(({ text }) => text === 'now' || text === 'clock_timestamp');
}

/** Whether this is the entire condition of an `if`, a `where` or a `case`. */
function isWholeCondition(code: Code, index: number): boolean {
  const [from, to] = around(code, index);
  const isOpened = /^(where|if|elsif|having)$/.test(code.at(from - 1)?.text ?? '');
  return isOpened && !/^(and|or)$/.test(code.at(to + 1)?.text ?? '');
}

/** `set a = b` in an update. */
function isAssignment(code: Code, index: number): boolean {
  if (!code.is(index - 2, 'set') && !code.is(index - 2, ',')) return false;
  const start = code.reach(index, -1, (other) => code.isBoundary(other) && !code.is(other, ','));
  return code.is(start - 1, 'set');
}

/** The operands of a comparison, for the report. */
function around(code: Code, index: number): [number, number] {
  const ends = (other: number) => code.isBoundary(other) || /^(and|or)$/.test(code.at(other)?.text ?? '');
  return [code.reach(index, -1, ends), code.reach(index, 1, ends)];
}

const negations: Rule = (code) =>
  code
    .where(({ kind }) => kind === 'word')
    .flatMap((index) => {
      if (code.is(index, 'is') && isWholeCondition(code, index)) return [];
      if (code.is(index, 'is', 'not', 'null')) return code.replace(index, index + 2, 'is null', 'negated:');
      if (code.is(index, 'is', 'null')) return code.replace(index, index + 1, 'is not null', 'negated:');
      if (code.is(index, 'is', 'not', 'distinct')) return code.replace(index, index + 2, 'is distinct', 'negated:');
      if (code.is(index, 'is', 'distinct')) return code.replace(index, index + 1, 'is not distinct', 'negated:');
      const isNot =
        code.is(index, 'not') &&
        !code.is(index - 1, 'is') &&
        !code.is(index + 1, 'null') &&
        !code.is(index + 1, 'distinct');
      return isNot ? code.replace(index, index, '', `without the "not" before "${code.at(index + 1)?.text}",`) : [];
    });

/** Calls whose numbers do not matter: the status of an error has its own test, and any hash seed will do. */
const NEUTRAL_CALL = /^(raise_error|hashtext|hashtextextended)$/;

const numbers: Rule = (code) => {
  const neutral = code
    .where((token, index) => NEUTRAL_CALL.test(token.text) && code.is(index + 1, '('))
    .map((index): [number, number] => [index, code.closing(index + 1)]);
  return code
    .where(
      (token, index) =>
        token.kind === 'integer' &&
        !neutral.some(([from, to]) => index > from && index < to) &&
        !isPlace(code, index) &&
        !isStandIn(code, index),
    )
    .flatMap((index) => {
      const value = Number(code.at(index)?.text);
      const [from, to] = around(code, index);
      const near = shorten(textBetween(code.text, code.at(from)?.start ?? 0, code.at(to)?.end ?? 0));
      return (value < 10 ? [value + 1] : [value - 1, value * 1000]).flatMap((by) =>
        code
          .replace(index, index, String(by))
          .map((change) => ({ ...change, change: `${by} for ${value} in "${near}"` })),
      );
    });
};

/** `order by 1`, `group by 1, 2`. */
function isPlace(code: Code, index: number): boolean {
  const start = code.reach(index, -1, (other) => code.isBoundary(other) && !code.is(other, ','));
  return code.is(start - 1, 'by') && (code.is(index - 1, 'by') || code.is(index - 1, ','));
}

/** `perform 1 from`, `select 1 from`: only the existence of rows matters. */
const isStandIn = (code: Code, index: number): boolean => code.is(index - 1, 'perform') || code.is(index - 1, 'select');

const signs: Rule = (code) =>
  code
    .where(({ text, kind }) => kind === 'symbol' && (text === '+' || text === '-'))
    .flatMap((index) => {
      const [previous, next] = [code.at(index - 1), code.at(index + 1)];
      const isUnary =
        !previous ||
        previous.text === '(' ||
        previous.text === ',' ||
        (previous.kind === 'symbol' && !/^[)\]]$/.test(previous.text)) ||
        /^(then|else|select|return|when)$/.test(previous.text);
      // Removing a key from a JSON document is no subtraction.
      if (next?.kind === 'string') return [];
      const by = isUnary ? '' : code.is(index, '+') ? '-' : '+';
      const [from, to] = around(code, index);
      const near = shorten(textBetween(code.text, code.at(from)?.start ?? 0, code.at(to)?.end ?? 0));
      return code
        .replace(index, index, by)
        .map((change) => ({ ...change, change: `"${by}" for "${code.at(index)?.text}" in "${near}"` }));
    });

const SWAPPED: Record<string, string> = {
  "'credit'": "'debit'",
  "'debit'": "'credit'",
  least: 'greatest',
  greatest: 'least',
  min: 'max',
  max: 'min',
};

const swaps: Rule = (code) => [
  ...code
    .where((token, index) => token.text in SWAPPED && (token.kind === 'string' || code.is(index + 1, '(')))
    .flatMap((index) =>
      code.replace(
        index,
        index,
        SWAPPED[code.at(index)?.text ?? ''] ?? '',
        `${SWAPPED[code.at(index)?.text ?? '']} for`,
      ),
    ),
  ...code
    .where(({ text, kind }) => kind === 'word' && text in TRUTH)
    .flatMap((index) => code.replace(index, index, TRUTH[code.at(index)?.text ?? ''] ?? '', `not`)),
  // The two wallets of a transfer.
  ...code
    .where((token, index) => token.text === 'transfer' && code.is(index + 1, '(') && !code.is(index - 1, 'function'))
    .flatMap((index) => {
      const comma = (from: number) => code.reach(from, 1, (other) => code.is(other, ',')) + 1;
      const first = comma(index + 2);
      const second = comma(first + 1);
      const word = (from: number, to: number) =>
        textBetween(code.text, code.at(from)?.start ?? 0, code.at(to)?.end ?? 0);
      const [a, b] = [word(index + 2, first - 1), word(first + 1, second - 1)];
      return code.replace(index + 2, second - 1, `${b}, ${a}`);
    }),
];

/** Statements that write, check or refuse, removed. */
const skippedStatements: Rule = (code) => {
  if (!code.isProcedural) return [];
  return code
    .where((token, index) => /^(insert|update|delete|perform|raise)$/.test(token.text) && code.beginsStatement(index))
    .filter((index) => !isOnlyStatementOfIf(code, index))
    .flatMap((index) => code.replace(index, code.endOfStatement(index), 'null;', 'skipped:'));
};

/** Removing the only statement of an `if` without `else` equals never taking it. */
function isOnlyStatementOfIf(code: Code, index: number): boolean {
  return code.is(index - 1, 'then') && code.is(code.endOfStatement(index) + 1, 'end', 'if');
}

/** Columns that an update leaves unchanged. */
const skippedAssignments: Rule = (code) =>
  code
    .where(({ text, kind }, index) => text === 'set' && kind === 'word' && code.at(index + 2)?.text === '=')
    .flatMap((index) => {
      const ends = (other: number) => code.isBoundary(other) && !code.is(other, ',');
      const end = code.reach(index, 1, ends);
      const depth = code.at(index)?.depth;
      const commas = code.where((token, at) => token.text === ',' && token.depth === depth && at > index && at < end);
      const starts = [index + 1, ...commas.map((comma) => comma + 1)];
      if (starts.length < 2) return [];
      return starts.flatMap((start, item) => {
        const last = item === starts.length - 1;
        // With the comma after it, or the one before it.
        return code.replace(last ? start - 1 : start, last ? end : (starts[item + 1] ?? end) - 1, '', 'not set:');
      });
    });

/** Writing statements of SQL functions, made to do nothing. */
const skippedWrites: Rule = (code) => {
  if (code.isProcedural) return [];
  return code
    .where(
      ({ text, depth }, index) =>
        depth === 0 && /^(update|delete|insert)$/.test(text) && (index === 0 || code.is(index - 1, ';')),
    )
    .flatMap((index) => {
      const filter = code.find(index, 'where');
      return code.is(filter, 'where') ? code.replace(filter, filter, 'where false and', 'skipped: nothing meets') : [];
    });
};

/** Row locks removed, or made to wait. */
const locks: Rule = (code) =>
  code
    .where(({ text, kind }) => kind === 'word' && (text === 'for' || text === 'skip'))
    .flatMap((index) => {
      if (code.is(index, 'skip', 'locked')) return code.replace(index, index + 1, '', 'without');
      const words = [
        ['for', 'no', 'key', 'update'],
        ['for', 'update'],
        ['for', 'key', 'share'],
        ['for', 'share'],
      ];
      const found = words.find((sequence) => code.is(index, ...sequence));
      if (!found) return [];
      const end = code.is(index + found.length, 'skip', 'locked') ? found.length + 1 : found.length - 1;
      return code.replace(index, index + end, '', 'without');
    });

const distinctCounts: Rule = (code) =>
  code
    .where((_, index) => code.is(index, '(', 'distinct'))
    .flatMap((index) => code.replace(index + 1, index + 1, '', 'without'));

const RULES: Rule[] = [
  decidedConditions,
  decidedCases,
  droppedTerms,
  openedFilters,
  comparisons,
  negations,
  numbers,
  signs,
  swaps,
  skippedStatements,
  skippedWrites,
  skippedAssignments,
  locks,
  distinctCounts,
];

/** Every mutant of a function's body, or of an expression, without duplicates. */
export function codeMutants(text: string, language: 'plpgsql' | 'sql'): CodeMutant[] {
  const code = new Code(text, language === 'plpgsql');
  const mutants = new Map<string, CodeMutant>();
  for (const change of RULES.flatMap((rule) => rule(code))) {
    const mutated = applyEdit(text, change);
    const key = mutated.replace(/\s+/g, ' ');
    // A filter may say `true` already, because the platform refuses a statement without one.
    if (!mutants.has(key) && key !== text.replace(/\s+/g, ' '))
      mutants.set(key, { change: `line ${lineOf(text, change.start)}: ${change.change}`, code: mutated });
  }
  return [...mutants.values()];
}

/** The line of this byte, counted from the first that is not empty. */
export const lineOf = (text: string, byte: number): number =>
  Buffer.from(text).subarray(0, byte).toString().trimStart().split('\n').length;
