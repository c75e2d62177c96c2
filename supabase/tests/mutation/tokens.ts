import { loadModule, scanSync } from 'libpg-query';

await loadModule();

export interface Token {
  /** Lower case, except in strings. */
  text: string;
  kind: 'word' | 'integer' | 'string' | 'symbol';
  /** Byte offset in the text. */
  start: number;
  end: number;
  /** How many parentheses and `case … end` are open around it; the delimiters themselves have the outer depth. */
  depth: number;
}

const KINDS: Record<string, Token['kind']> = { ICONST: 'integer', SCONST: 'string' };

/** The tokens of an SQL or PL/pgSQL text as PostgreSQL's own lexer sees them, without comments. */
export function tokenise(text: string): Token[] {
  const open: ('(' | 'case')[] = [];
  return scanSync(text)
    .tokens.filter(({ tokenName }) => !/COMMENT/.test(tokenName))
    .map((scanned): Token => {
      const kind = KINDS[scanned.tokenName] ?? (/^\w/.test(scanned.text) ? 'word' : 'symbol');
      const word = kind === 'string' ? scanned.text : scanned.text.toLowerCase();
      const isEndOfCase = word === 'end' && open.at(-1) === 'case';
      if (word === ')' || word === ']' || isEndOfCase) open.pop();
      const token = { text: word, kind, start: scanned.start, end: scanned.end, depth: open.length };
      if (word === '(' || word === '[') open.push('(');
      if (word === 'case') open.push('case');
      return token;
    });
}

export interface Edit {
  start: number;
  end: number;
  by: string;
}

/** The text with one range of its bytes replaced. */
export function applyEdit(text: string, { start, end, by }: Edit): string {
  const bytes = Buffer.from(text);
  return bytes.subarray(0, start).toString() + by + bytes.subarray(end).toString();
}

/** The text of this byte range, on one line. */
export const textBetween = (text: string, start: number, end: number): string =>
  Buffer.from(text).subarray(start, end).toString().replace(/\s+/g, ' ').trim();
