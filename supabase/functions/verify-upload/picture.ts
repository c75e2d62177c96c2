import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import decodePng, { init as initPng } from '@jsquash/png/decode.js';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import { imageSize } from 'image-size';
import { FunctionError } from '../_shared/errors.ts';
import { differenceHash, type Pixels } from './difference-hash.ts';

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

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
