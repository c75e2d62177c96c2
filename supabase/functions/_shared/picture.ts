import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import { disableTypes, imageSize, types } from 'image-size';
import { differenceHash } from './difference-hash.ts';
import { FunctionError } from './errors.ts';
import { isJpeg, jpegSize } from './jpeg-size.ts';
import { startPngDecoder } from './png-decoder.ts';
import { isPngOfItsLength } from './png-length.ts';

/**
 * Maximum pixels per side, because a small file can decode to a picture that fills all memory: what our own client sends. The memory of a
 * codec never shrinks, so an instance that has met all three formats holds the largest picture three times; the platform ends it at 256 MB.
 */
const MAX_SIDE = 2_560;

export interface Picture {
  /** In hex. */
  sha256: string;
  /** Difference hash, 16 hex digits; null for animated pictures, which have more than one. */
  dhash: string | null;
  bytes: number;
  mime: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
}

const PNG_MODULE = '@jsquash/png/codec/pkg/squoosh_png_bg.wasm';

type Kind = { mime: Picture['mime']; decode: ((bytes: ArrayBuffer) => Promise<ImageData>) | null };

const KINDS: Record<string, Kind> = {
  png: { mime: 'image/png', decode: withModule(PNG_MODULE, startPngDecoder) },
  jpg: { mime: 'image/jpeg', decode: withModule('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm', startJpegDecoder) },
  webp: { mime: 'image/webp', decode: withModule('@jsquash/webp/codec/dec/webp_dec.wasm', startWebpDecoder) },
  gif: { mime: 'image/gif', decode: null },
};

// In files of some other types the library searches for sizes, and one of 10 MB can keep it busy for half an hour.
disableTypes(types.filter((type) => !(type in KINDS)));

/**
 * Detects the type of a picture from its content.
 * @throws FunctionError NOT_A_PICTURE, PICTURE_TOO_LARGE; UNEXPECTED when it could not be looked at
 */
export async function inspectPicture(bytes: Uint8Array<ArrayBuffer>): Promise<Picture> {
  const kind = await kindOf(bytes, MAX_SIDE);
  const sha256 = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  const pixels = await kind.decode?.(bytes.buffer).catch((error) => {
    throw error instanceof FunctionError ? error : new FunctionError('NOT_A_PICTURE');
  });
  const dhash = pixels ? differenceHash(pixels) : null;
  // Frees the pixels now: the collector keeps those of several pictures, and the platform ends a function at 256 MB.
  pixels?.data.buffer.transfer(0);
  return { sha256, dhash, bytes: bytes.byteLength, mime: kind.mime };
}

/**
 * The pixels of a picture that is not animated.
 * @throws FunctionError NOT_A_PICTURE, PICTURE_TOO_LARGE
 */
export async function readPicture(bytes: Uint8Array<ArrayBuffer>, maxSide: number): Promise<ImageData> {
  const { decode } = await kindOf(bytes, maxSide);
  const pixels = await decode?.(bytes.buffer);
  if (!pixels) throw new FunctionError('NOT_A_PICTURE');
  return pixels;
}

async function kindOf(bytes: Uint8Array, maxSide: number): Promise<Kind> {
  const { kind, width, height } = readHeader(bytes);
  if (Math.max(width, height) > maxSide) throw new FunctionError('PICTURE_TOO_LARGE');
  if (kind.mime === 'image/png' && !(await isPngOfItsLength(bytes, width, height).catch(() => false)))
    throw new FunctionError('NOT_A_PICTURE');
  return kind;
}

function readHeader(bytes: Uint8Array): { kind: Kind; width: number; height: number } {
  try {
    const { type = '', width, height } = isJpeg(bytes) ? { type: 'jpg', ...jpegSize(bytes) } : imageSize(bytes);
    const kind = KINDS[type];
    if (kind && width > 0 && height > 0) return { kind, width, height };
  } catch {
    // Handled below: an unreadable header means that it is not a picture.
  }
  throw new FunctionError('NOT_A_PICTURE');
}

/** Encodes pixels as PNG. */
export const writePng: (pixels: ImageData) => Promise<ArrayBuffer> = withModule(PNG_MODULE, async (module) => {
  await initPngEncoder(module);
  return encodePng;
});

async function startJpegDecoder(module: WebAssembly.Module) {
  await initJpeg(module);
  return (bytes: ArrayBuffer) => decodeJpeg(bytes);
}

async function startWebpDecoder(module: WebAssembly.Module) {
  await initWebp(module);
  return (bytes: ArrayBuffer) => decodeWebp(bytes);
}

/**
 * Lazy-loads a codec from its package, because it cannot be fetched over the network. One that cannot be loaded is no fault of the picture,
 * and is loaded again for the next one. So is one that has failed: a picture that it cannot read leaves it out of order, at once or after
 * some hundred of them, and from then on it would refuse every picture.
 */
function withModule<Input, Output>(
  file: string,
  start: (module: WebAssembly.Module) => Promise<(input: Input) => Promise<Output>>,
): (input: Input) => Promise<Output> {
  const load = async () => await start(new WebAssembly.Module(await Deno.readFile(new URL(import.meta.resolve(file)))));
  let codec: ReturnType<typeof load> | undefined;
  return async (input) => {
    codec ??= load().catch((error) => {
      throw new FunctionError('UNEXPECTED', [], error);
    });
    try {
      return await (await codec)(input);
    } catch (error) {
      codec = undefined;
      throw error;
    }
  };
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
