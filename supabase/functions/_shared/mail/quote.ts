/** Invisible and bidirectional control characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Any scheme, however unusual, with all its slashes, so that the remainder cannot form another one. */
const SCHEME = /[a-z][a-z0-9+.-]*:\/{2,}/giu;
/** Dots of any script that could be part of a host name, whose labels may also end in a vowel sign or an emoji. */
const DOT_BEFORE_LETTER = /(?<=[^\s.])[.\u3002](?=\p{L})/gu;
/** Right-to-left letters. They get isolated, or a number after the quotation would be displayed on their left. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/**
 * Quotes user content in our mails: on one line, at most `maxLength` characters, and without anything that mail
 * programs turn into a link, so that readers do not take it for ours.
 */
export function quote(text: string, maxLength = 300): string {
  const flat = text
    .normalize('NFKC')
    .replace(INVISIBLE, ' ')
    .replace(SCHEME, '')
    .replace(DOT_BEFORE_LETTER, '[.]')
    .replaceAll('@', '[at]')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...flat];
  const shown = characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : flat;
  return `“${FROM_RIGHT.test(shown) ? `\u2068${shown}\u2069` : shown}”`;
}
