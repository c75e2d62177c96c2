/** How many quotes and lists the beginning of a line may open inside one another. */
const DEEPEST = 8;
const MARKER = String.raw`[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))`;
const TOO_MANY = new RegExp(`^(?:${MARKER}){${DEEPEST + 1},}`, 'gm');

/** How many runs of characters that may begin or end emphasis a text may have. */
const MOST_EMPHASIS = 1000;
const EMPHASIS = /\\.|([*_~])\1*/g;

/** The longest word in which addresses become links; longer than any address that a browser takes. */
const LONGEST_WORD = 2000;
/** What makes an address, unless it is escaped already. */
const ADDRESS = /\\.|([.:@])/g;
const TOO_LONG = new RegExp(String.raw`\S{${LONGEST_WORD + 1},}`, 'g');

/**
 * Markdown without what nobody reads and the parser takes too long for, when a text of ten thousand characters is made of it: half a minute
 * for `- - - -`, and it runs out of stack; seconds for `*_*_*_`, whose ends it looks for from the start each time, and for `www.a_www.a_`.
 */
export function limitMarkdown(markdown: string): string {
  let emphasis = 0;
  return markdown
    .replace(TOO_MANY, (markers) => (markers.match(new RegExp(MARKER, 'gm')) ?? []).slice(0, DEEPEST).join(''))
    .replace(EMPHASIS, (run, mark?: string) => (mark && ++emphasis > MOST_EMPHASIS ? escapeAll(run) : run))
    .replace(TOO_LONG, (word) => word.replace(ADDRESS, (match, mark?: string) => (mark ? escapeAll(match) : match)));
}

const escapeAll = (text: string) => text.replace(/./g, '\\$&');
