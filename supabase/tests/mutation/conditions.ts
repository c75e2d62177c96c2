import type { Code } from './code.ts';

/** Indexes of the first and the last token. */
type Span = readonly [from: number, to: number];

/** The conditions of `if` and `elsif`. */
export const branchConditions = (code: Code): Span[] =>
  code
    .where((token, index) => token.text === 'elsif' || (token.text === 'if' && code.beginsStatement(index)))
    .map((index) => [index + 1, code.find(index, 'then') - 1]);

/** Those of each `when` that is not compared with an operand of its `case`. */
export const caseConditions = (code: Code): Span[] =>
  code
    .where((token, index) => token.text === 'when' && token.depth > 0 && isSearchedCase(code, index))
    .map((index) => [index + 1, code.find(index, 'then') - 1]);

function isSearchedCase(code: Code, index: number): boolean {
  const depth = code.at(index)?.depth ?? 0;
  for (let before = index - 1; before >= 0; before -= 1) {
    if (code.at(before)?.depth === depth - 1) return code.is(before, 'case') && code.is(before + 1, 'when');
  }
  return false;
}

/** Index of each `and` and `or`, with the operands around it. */
export const junctions = (code: Code): { word: number; left: Span; right: Span }[] =>
  (['and', 'or'] as const).flatMap((word) =>
    code
      .where(
        (token, index) => token.text === word && token.kind === 'word' && !(word === 'and' && code.isBetween(index)),
      )
      .map((index) => {
        const ends = (other: number) =>
          code.isBoundary(other) ||
          code.is(other, 'or') ||
          (word === 'and' && code.is(other, 'and') && !code.isBetween(other));
        return {
          word: index,
          left: [code.reach(index, -1, ends), index - 1],
          right: [index + 1, code.reach(index, 1, ends)],
        };
      }),
  );

/** The conditions of `where` and `having` that consist of a single one. */
export const singleFilters = (code: Code): Span[] =>
  code
    .where(({ text, kind }) => kind === 'word' && (text === 'where' || text === 'having'))
    .flatMap((index) => {
      const end = code.reach(index, 1, code.isBoundary);
      const isJoined = code
        .where(({ depth }, inside) => inside > index && inside <= end && depth === code.at(index)?.depth)
        .some((inside) => code.is(inside, 'or') || (code.is(inside, 'and') && !code.isBetween(inside)));
      return isJoined ? [] : [[index + 1, end] as const];
    });

/**
 * All of these, except constants, the predicates of indexes that `on conflict` names, and what full joins are on, which must remain
 * comparisons that a join can hash.
 */
export function allConditions(code: Code): Span[] {
  const spans = [
    ...branchConditions(code),
    ...caseConditions(code),
    ...junctions(code).flatMap(({ left, right }) => [left, right]),
    ...singleFilters(code),
  ];
  const predicates = code
    .where((_, index) => code.is(index, 'conflict', '('))
    .map((index) => code.closing(index + 1) + 1)
    .filter((index) => code.is(index, 'where'))
    .map((index): Span => [index, code.find(index, 'do')]);
  const joined = code
    .where((_, index) => code.is(index, 'full', 'join'))
    .map((index): Span => {
      const on = code.find(index, 'on');
      return [on, code.reach(on, 1, code.isBoundary) + 1];
    });
  const isConstant = ([from, to]: Span) => from === to && /^(true|false)$/.test(code.at(from)?.text ?? '');
  const isFixed = ([from]: Span) => [...predicates, ...joined].some(([start, end]) => from > start && from < end);
  const distinct = new Map(spans.map((span) => [span.join(), span]));
  return [...distinct.values()].filter((span) => span[0] <= span[1] && !isConstant(span) && !isFixed(span));
}
