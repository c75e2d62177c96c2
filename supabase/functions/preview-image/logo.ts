import type { DatabaseConfig } from '../_shared/config.ts';
import { reasonOf } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';
import { readPicture, writePng } from '../_shared/picture.ts';
import { download } from '../_shared/storage.ts';

const BUCKET = 'project-logos';
/** Larger ones were fetched from elsewhere; the app's own have 512 pixels a side. */
const MAX_BYTES = 1024 * 1024;
const MAX_SIDE = 1_024;

/**
 * A project's logo as a data URI of a PNG. Null without one in our own bucket (nothing else is ever asked for), and for one that is too
 * large or no picture: then its initial is drawn.
 */
export async function logoOf(config: DatabaseConfig, logoUrl: string | null): Promise<string | null> {
  const [, path] = /\/storage\/v1\/object\/public\/project-logos\/([\w-]+\/[\w.-]+)$/.exec(logoUrl ?? '') ?? [];
  if (!path) return null;
  try {
    const bytes = await download(config, BUCKET, path);
    if (bytes.byteLength > MAX_BYTES) return null;
    // Drawn anew from its pixels: nothing of the file itself reaches the drawing.
    const pixels = await readPicture(bytes, MAX_SIDE);
    const png = new Uint8Array(await writePng(pixels));
    return `data:image/png;base64,${btoa(Array.from(png, (byte) => String.fromCharCode(byte)).join(''))}`;
  } catch (error) {
    log('warn', 'preview_without_logo', { path, reason: reasonOf(error) });
    return null;
  }
}
