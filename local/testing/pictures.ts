import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import encodeJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js';
import encodePng, { init as initPng } from '@jsquash/png/encode.js';
import encodeWebp, { init as initWebp } from '@jsquash/webp/encode.js';

const wasm = (file: string) => new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(file)));

export type PictureType = 'png' | 'jpeg' | 'webp';

/** A real picture, large patches of grey derived from `seed`: the same seed gives the same picture. */
export async function picture(
  seed: number,
  { type = 'png', width = 180, height = 160 }: { type?: PictureType; width?: number; height?: number } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = draw(seed, width, height);
  switch (type) {
    case 'png':
      await initPng(wasm('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
      return new Uint8Array(await encodePng(pixels));
    case 'jpeg':
      await initJpeg(wasm('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
      return new Uint8Array(await encodeJpeg(pixels));
    case 'webp':
      await initWebp(wasm('@jsquash/webp/codec/enc/webp_enc.wasm'));
      return new Uint8Array(await encodeWebp(pixels));
  }
}

const COLUMNS = 9;
const ROWS = 8;

function draw(seed: number, width: number, height: number): ImageData {
  const greys = patches(seed);
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const patch = Math.floor((y * ROWS) / height) * COLUMNS + Math.floor((x * COLUMNS) / width);
      const grey = greys[patch] ?? 0;
      data.set([grey, grey, grey, 255], (y * width + x) * 4);
    }
  }
  return { width, height, data, colorSpace: 'srgb' } as ImageData;
}

/** Evenly distributed greys from a linear congruential generator. */
function patches(seed: number): number[] {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return Array.from({ length: COLUMNS * ROWS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}
