import { callFunction } from './edge-functions';

/** Longest side of a picture that is uploaded, in pixels (C-89). */
const maxSide = 2560;
const quality = 0.9;

/** Width and height within a square of `maxSide`, never enlarged. */
export function fitInto(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * A picture as it is uploaded: decoded by the browser, whatever its format, scaled, and written anew as WebP, or as JPEG
 * where the browser writes no WebP. Drawing it anew drops what the file says about camera and place (C-89). Null for what
 * the browser cannot decode or draw.
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
 * Has the server look into an uploaded picture: no procedure accepts it before. What is no picture is deleted there. Throws
 * AppError (NOT_A_PICTURE, PICTURE_TOO_LARGE, UPLOAD_LIMIT and the platform's).
 */
export async function verifyUpload(bucket: 'proofs' | 'project-logos', path: string, signal?: AbortSignal) {
  await callFunction('verify-upload', { bucket, path }, signal);
}
