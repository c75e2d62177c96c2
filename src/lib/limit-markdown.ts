/** Maximum nesting of quotes and lists at the beginning of a line. */
const DEEPEST = 8;
const MARKER = String.raw`[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))`;
const TOO_MANY = new RegExp(`^(?:${MARKER}){${DEEPEST + 1},}`, 'gm');

/** Maximum number of runs of `*`, `_` or `~` in a text. */
const MOST_EMPHASIS = 1000;
const EMPHASIS = /\\.|([*_~])\1*/g;

/** Longest word in which URLs become links; longer than any URL that browsers accept. */
const LONGEST_WORD = 2000;
/** The characters that make a URL or email address, unless they are escaped already. */
const ADDRESS = /\\.|([.:@])/g;
const TOO_LONG = new RegExp(String.raw`\S{${LONGEST_WORD + 1},}`, 'g');

/**
 * Defuses Markdown that takes the parser too long and that nobody writes in earnest. Of ten thousand characters, `- - - -` takes half a
 * minute and then overflows the stack; `*_*_*_`, whose ends it searches from the start each time, and `www.a_www.a_` take seconds.
 */
export function limitMarkdown(markdown: string): string {
  let emphasis = 0;
  return markdown
    .replace(TOO_MANY, (markers) => (markers.match(new RegExp(MARKER, 'gm')) ?? []).slice(0, DEEPEST).join(''))
    .replace(EMPHASIS, (run, mark?: string) => (mark && ++emphasis > MOST_EMPHASIS ? escapeAll(run) : run))
    .replace(TOO_LONG, (word) => word.replace(ADDRESS, (match, mark?: string) => (mark ? escapeAll(match) : match)));
}

const escapeAll = (text: string) => text.replace(/./g, '\\$&');
