import { callFunction } from './authorized-fetch';
import { AppError } from './errors';

/** Types that the public buckets accept, with their file extensions (supabase/schemas/50_storage.sql). */
export const publicPictureTypes: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};
/** Maximum size of a public picture in bytes. */
export const maxPublicPictureSize = 5 * 1024 * 1024;

/** The error for a file that cannot be used as a picture, with the sentence to show. */
export const notAPicture = (
  sentence = 'We could not read this image. Please save it as PNG and try again.',
): AppError => new AppError('NOT_A_PICTURE', sentence);

/** Maximum side length of an uploaded picture, in pixels (C-89). */
const maxSide = 2560;
const quality = 0.9;

/** Scales width and height down to fit `maxSide`; never enlarges. */
export function fitInto(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Converts a picture for upload: decoded by the browser, scaled, and re-encoded as WebP, or as JPEG where the browser
 * cannot encode WebP. Re-encoding strips metadata such as camera and location (C-89). Null when the browser cannot
 * decode or draw it.
 */
export async function preparePicture(file: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  const { width, height } = fitInto(bitmap.width, bitmap.height);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.drawImage(bitmap, 0, 0, width, height);
  const webp = await canvas.convertToBlob({ type: 'image/webp', quality });
  if (webp.type === 'image/webp') return webp;
  // JPEG has no transparency and would turn it black.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality });
}

/** The file name after conversion: `shot.heic` becomes `shot.webp`. */
export function pictureName(name: string, type: string): string {
  return `${name.replace(/\.[^.]*$/, '')}.${type === 'image/jpeg' ? 'jpg' : 'webp'}`;
}

/**
 * Has the server verify an uploaded picture, which procedures require. The server deletes files that are not pictures.
 * Throws AppError (NOT_A_PICTURE, PICTURE_TOO_LARGE, UPLOAD_LIMIT and the platform's).
 */
export async function verifyUpload(bucket: 'proofs' | 'project-logos', path: string, signal?: AbortSignal) {
  await callFunction('verify-upload', { bucket, path }, signal);
}
