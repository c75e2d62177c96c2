import { type Edit, type Token, textBetween, tokenise } from './tokens.ts';

/** One edit of the text, with a description of the change. */
export interface Change extends Edit {
  change: string;
}

/** Words and symbols that end an operand of AND and OR. */
const BOUNDARIES = new Set(
  `where on having if elsif when then else end return returns select from group order limit offset returning union except intersect
   set values using into for loop while join inner cross check as by window do over filter query begin := , ; =>`.split(
    /\s+/,
  ),
);

/** A body of code, with the queries that code-mutants.ts needs. */
export class Code {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly isProcedural: boolean;

  constructor(text: string, isProcedural: boolean) {
    this.text = text;
    this.tokens = tokenise(text);
    this.isProcedural = isProcedural;
  }

  at(index: number): Token | undefined {
    return this.tokens[index];
  }

  is(index: number, ...words: string[]): boolean {
    return words.every((word, offset) => this.at(index + offset)?.text === word);
  }

  /** Indexes of all tokens that satisfy the predicate. */
  where(test: (token: Token, index: number) => boolean): number[] {
    return this.tokens.flatMap((token, index) => (test(token, index) ? [index] : []));
  }

  /** Replaces the tokens from one index to another, both included. */
  replace(from: number, to: number, by: string, change?: string): Change[] {
    const [first, last] = [this.at(from), this.at(to)];
    if (!first || !last || to < from) return [];
    const old = shorten(textBetween(this.text, first.start, last.end));
    return [
      { start: first.start, end: last.end, by, change: change ? `${change} "${old}"` : `"${old}" becomes "${by}"` },
    ];
  }

  /** The first or last index of the range around `index`, at its depth, that contains no boundary token. */
  reach(index: number, step: 1 | -1, isBoundary: (index: number) => boolean): number {
    const depth = this.at(index)?.depth ?? 0;
    let reached = index;
    for (let next = index + step; ; next += step) {
      const token = this.at(next);
      if (!token || token.depth < depth) return reached;
      if (token.depth === depth) {
        // The closing parenthesis of the enclosing group has the depth outside it.
        if (isBoundary(next)) return reached;
      }
      reached = next;
    }
  }

  isBoundary = (index: number): boolean => {
    const token = this.at(index);
    if (!token || token.kind === 'string') return false;
    // There is a function of that name, too.
    if (token.text === 'left') return this.is(index + 1, 'join');
    if (!BOUNDARIES.has(token.text)) return false;
    // `is distinct from` is a comparison, and the end of a `case` is part of an operand.
    if (token.text === 'end') return (this.at(index - 1)?.depth ?? 0) <= token.depth;
    return !(token.text === 'from' && this.is(index - 1, 'distinct'));
  };

  /** Whether a PL/pgSQL statement starts here. */
  beginsStatement(index: number): boolean {
    const previous = this.at(index - 1);
    return (
      this.isProcedural &&
      this.at(index)?.depth === 0 &&
      previous?.depth === 0 &&
      /^(;|begin|loop|then|else)$/.test(previous.text)
    );
  }

  /** Index of the semicolon that ends the statement. */
  endOfStatement(index: number): number {
    let end = index;
    while (this.at(end) && !(this.is(end, ';') && this.at(end)?.depth === 0)) end += 1;
    return end;
  }

  /** Index of the first of these words from here on, at the same depth. */
  find(index: number, word: string): number {
    const depth = this.at(index)?.depth;
    let found = index;
    while (this.at(found) && !(this.is(found, word) && this.at(found)?.depth === depth)) found += 1;
    return found;
  }

  /** Index of the parenthesis that closes the one at `index`. */
  closing(index: number): number {
    const depth = this.at(index)?.depth ?? 0;
    let close = index + 1;
    while (this.at(close) && (this.at(close)?.depth ?? 0) > depth) close += 1;
    return close;
  }

  /** Whether this `and` belongs to a `between`. */
  isBetween(index: number): boolean {
    const start = this.reach(
      index,
      -1,
      (other) => this.isBoundary(other) || this.is(other, 'and') || this.is(other, 'or'),
    );
    return this.tokens
      .slice(start, index)
      .some((token) => token.text === 'between' && token.depth === this.at(index)?.depth);
  }
}

export const shorten = (text: string): string => (text.length > 90 ? `${text.slice(0, 87)}...` : text);
