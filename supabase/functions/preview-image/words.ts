import { display, type Font, text } from './fonts.ts';

export { display, text };

/** Longer texts are cut off before layout. */
const MAX_LENGTH = 300;

const widthTables = new Map<Font, Map<string, number>>();

/** Width of each character that the font has, in thousandths of its size. */
function widthsOf(font: Font): Map<string, number> {
  const known = widthTables.get(font);
  if (known) return known;
  const widths = new Map(
    font.widths.split(' ').map((entry) => {
      const [code = '', width] = entry.split(':');
      return [String.fromCodePoint(Number.parseInt(code, 16)), Number(width)];
    }),
  );
  widthTables.set(font, widths);
  return widths;
}

/** Width of a line in pixels at a size. Kerning, which only brings letters closer, is left out. */
export function widthOf(line: string, font: Font, size: number): number {
  const widths = widthsOf(font);
  return [...line].reduce((sum, character) => sum + (widths.get(character) ?? 1000), 0) * (size / 1000);
}

/**
 * The text as the font can render it: one line, without emoji and symbols that it lacks. Null when letters or digits
 * are missing, as in most non-Latin scripts, because a title with gaps would be misleading.
 */
export function drawable(words: string | null, font: Font): string | null {
  const widths = widthsOf(font);
  const characters = [...(words ?? '').slice(0, MAX_LENGTH).toWellFormed().normalize('NFKC')];
  const shown = characters.map((character) => {
    if (/\s/.test(character)) return ' ';
    if (widths.has(character)) return character;
    return /[\p{L}\p{M}\p{N}]/u.test(character) && !/[\ufe0e\ufe0f\u20e3]/.test(character) ? null : '';
  });
  if (shown.includes(null)) return null;
  return shown.join('').replace(/ +/g, ' ').trim() || null;
}

/** Lines of at most `width` pixels; the last one that fits ends with an ellipsis when there is more. */
export function wrap(words: string, font: Font, size: number, width: number, maxLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of pieces(words, font, size, width)) {
    const longer = line ? `${line} ${word}` : word;
    if (widthOf(longer, font, size) <= width) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  lines.push(line);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), shorten(lines.slice(maxLines - 1).join(' '), font, size, width)];
}

/** Splits into words, and words wider than a line into pieces. */
function pieces(words: string, font: Font, size: number, width: number): string[] {
  return words.split(' ').flatMap((word) => {
    const cut: string[] = [];
    let piece = '';
    for (const character of word) {
      if (piece && widthOf(piece + character, font, size) > width) {
        cut.push(piece);
        piece = '';
      }
      piece += character;
    }
    return [...cut, piece];
  });
}

/** One line of at most `width` pixels, with an ellipsis where it was cut. */
export function shorten(words: string, font: Font, size: number, width: number): string {
  if (widthOf(words, font, size) <= width) return words;
  const kept = [...words];
  while (kept.length > 0 && widthOf(`${kept.join('')}…`, font, size) > width) kept.pop();
  return `${kept.join('').trimEnd()}…`;
}
