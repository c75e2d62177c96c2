/** How many quotes and lists the beginning of a line may open inside one another. */
const DEEPEST = 8;
const MARKER = String.raw`[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))`;
const TOO_MANY = new RegExp(`^(?:${MARKER}){${DEEPEST + 1},}`, 'gm');

/**
 * Markdown without the markers that nest deeper than anybody reads: the parser takes half a minute for ten thousand characters of `- - - -`,
 * and runs out of stack.
 */
export function limitNesting(markdown: string): string {
  return markdown.replace(TOO_MANY, (markers) =>
    (markers.match(new RegExp(MARKER, 'gm')) ?? []).slice(0, DEEPEST).join(''),
  );
}
