/** Characters that print nothing or turn the reading direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const SCHEME = /\b[a-z][a-z0-9+.-]*:\/\//giu;
/** A dot, of whatever script, that could be part of a host name. */
const DOT_BEFORE_LETTER = /(?<=[\p{L}\p{N}])[.\u3002](?=[\p{L}])/gu;

/**
 * Other people's words for one of our mails: on one line, at most `maxLength` characters, and with nothing that a mail
 * program makes a link of. A reader must not take them for ours.
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
  return `“${characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : flat}”`;
}
