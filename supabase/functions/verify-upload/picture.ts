import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import decodePng, { init as initPng } from '@jsquash/png/decode.js';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import { imageSize } from 'image-size';
import { FunctionError } from '../_shared/errors.ts';

/** Most pixels a side: a small file may claim to be a picture that fills all memory. Our own client sends 2,560. */
const MAX_SIDE = 4_096;

export interface Picture {
  /** In hex. */
  sha256: string;
  /** Difference hash, 16 hex digits; null for animated pictures, which have more than one. */
  dhash: string | null;
  bytes: number;
  mime: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
}

interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue, opacity of one pixel after the other. */
  data: ArrayLike<number>;
}

type Kind = { mime: Picture['mime']; decode: ((bytes: ArrayBuffer) => Promise<Pixels>) | null };

const KINDS: Record<string, Kind> = {
  png: { mime: 'image/png', decode: withModule(initPng, '@jsquash/png/codec/pkg/squoosh_png_bg.wasm', decodePng) },
  jpg: { mime: 'image/jpeg', decode: withModule(initJpeg, '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm', decodeJpeg) },
  webp: { mime: 'image/webp', decode: withModule(initWebp, '@jsquash/webp/codec/dec/webp_dec.wasm', decodeWebp) },
  gif: { mime: 'image/gif', decode: null },
};

/**
 * What the bytes are, by their content alone.
 * @throws FunctionError NOT_A_PICTURE, PICTURE_TOO_LARGE
 */
export async function inspectPicture(bytes: Uint8Array<ArrayBuffer>): Promise<Picture> {
  const { kind, width, height } = readHeader(bytes);
  if (Math.max(width, height) > MAX_SIDE) throw new FunctionError('PICTURE_TOO_LARGE');
  const sha256 = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  const pixels = await kind.decode?.(bytes.buffer).catch(() => {
    throw new FunctionError('NOT_A_PICTURE');
  });
  return { sha256, dhash: pixels ? differenceHash(pixels) : null, bytes: bytes.byteLength, mime: kind.mime };
}

function readHeader(bytes: Uint8Array): { kind: Kind; width: number; height: number } {
  try {
    const { type = '', width, height } = imageSize(bytes);
    const kind = KINDS[type];
    if (kind && width > 0 && height > 0) return { kind, width, height };
  } catch {
    // Answered below: a header that cannot be read is no picture's.
  }
  throw new FunctionError('NOT_A_PICTURE');
}

/** Loads a decoder when it is first needed: the platform has no network for it, the package holds the file. */
function withModule(
  init: (module: WebAssembly.Module) => Promise<unknown>,
  file: string,
  decode: (bytes: ArrayBuffer) => Promise<Pixels>,
): (bytes: ArrayBuffer) => Promise<Pixels> {
  let ready: Promise<unknown> | undefined;
  return async (bytes) => {
    ready ??= Deno.readFile(new URL(import.meta.resolve(file))).then((code) => init(new WebAssembly.Module(code)));
    await ready;
    return await decode(bytes);
  };
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

/** Mean luminance of one cell of the grid; what is see-through counts as white paper. */
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

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
