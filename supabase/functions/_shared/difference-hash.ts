export interface Pixels {
  width: number;
  height: number;
  /** RGBA bytes. */
  data: ArrayLike<number>;
}

const COLUMNS = 9;
const ROWS = 8;

/**
 * 64 bits that hardly change when a picture is scaled, compressed again or a little brighter: 9 by 8 grey pixels, each
 * compared with its right neighbour, rows from above, first bit first. 16 hex digits.
 */
export function differenceHash(pixels: Pixels): string {
  let bits = 0n;
  for (let row = 0; row < ROWS; row += 1) {
    const greys = Array.from({ length: COLUMNS }, (_, column) => meanGrey(pixels, column, row));
    for (let column = 1; column < COLUMNS; column += 1) {
      bits = (bits << 1n) | ((greys[column - 1] ?? 0) > (greys[column] ?? 0) ? 1n : 0n);
    }
  }
  return bits.toString(16).padStart(16, '0');
}

/** Mean luminance of one cell of the grid; transparent pixels count as white. */
function meanGrey({ width, height, data }: Pixels, column: number, row: number): number {
  const [left, right] = [Math.floor((column * width) / COLUMNS), Math.ceil(((column + 1) * width) / COLUMNS)];
  const [top, bottom] = [Math.floor((row * height) / ROWS), Math.ceil(((row + 1) * height) / ROWS)];
  let sum = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = (y * width + x) * 4;
      const opacity = (data[at + 3] ?? 0) / 255;
      const grey = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
      sum += grey * opacity + 255 * (1 - opacity);
    }
  }
  return Math.round(sum / ((right - left) * (bottom - top)));
}
