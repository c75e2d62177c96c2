import { maxPublicPictureSize, notAPicture, publicPictureTypes } from '@/lib/picture';

/**
 * Position of a picture under the square crop window: `zoom` 1 just fills it; x and y are the window's centre, from 0
 * to 1 in the picture.
 */
export type Crop = { zoom: number; x: number; y: number };
type Size = { width: number; height: number };

export const initialCrop: Crop = { zoom: 1, x: 0.5, y: 0.5 };
export const maxZoom = 4;

/** The cropped square, in the picture's own pixels. */
export function cropRect(image: Size, crop: Crop): { x: number; y: number; side: number } {
  const side = Math.min(image.width, image.height) / crop.zoom;
  return { x: crop.x * image.width - side / 2, y: crop.y * image.height - side / 2, side };
}

const between = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** The crop with its window clamped to the picture. */
export function clampCrop(image: Size, crop: Crop): Crop {
  const zoom = between(crop.zoom, 1, maxZoom);
  const half = Math.min(image.width, image.height) / zoom / 2;
  const marginX = half / image.width;
  const marginY = half / image.height;
  return { zoom, x: between(crop.x, marginX, 1 - marginX), y: between(crop.y, marginY, 1 - marginY) };
}

/** Moves the picture by screen pixels under a window that is `windowSide` screen pixels wide. */
export function dragCrop(image: Size, crop: Crop, move: { dx: number; dy: number }, windowSide: number): Crop {
  const perPixel = cropRect(image, crop).side / windowSide;
  return clampCrop(image, {
    ...crop,
    x: crop.x - (move.dx * perPixel) / image.width,
    y: crop.y - (move.dy * perPixel) / image.height,
  });
}

/** Side of a stored logo in pixels. */
const logoSide = 512;

/** Accepted types. An SVG is rendered to PNG here, because the bucket accepts no SVG, which could contain scripts. */
export const acceptedLogoTypes = [...Object.keys(publicPictureTypes), 'image/svg+xml'];

/** Why a chosen file cannot become a logo, null when it can (SPROF-04, C-56). */
export function logoFileProblem(file: { type: string; size: number }): string | null {
  if (!acceptedLogoTypes.includes(file.type)) return 'Please choose a PNG, JPG, WebP or SVG image';
  return file.size > maxPublicPictureSize ? 'Please choose an image smaller than 5MB' : null;
}

/** Output type of the cropped picture: its own type, or PNG for an SVG. */
export function croppedType(type: string): string {
  return type in publicPictureTypes ? type : 'image/png';
}

/** Path in the bucket: the user's folder, then user id, timestamp and extension (SPROF-04). `now` in milliseconds. */
export function logoPath(userId: string, type: string, now: number): string {
  return `${userId}/${userId}_${now}.${publicPictureTypes[type] ?? 'png'}`;
}

/**
 * Path of a logo in the bucket, from its public URL; null for external pictures and for files in somebody else's
 * folder. `publicPrefix` is the URL of the bucket, with a trailing slash.
 */
export function ownLogoPath(logoUrl: string | null, publicPrefix: string, userId: string): string | null {
  if (!logoUrl?.startsWith(publicPrefix)) return null;
  const path = decodeURIComponent(logoUrl.slice(publicPrefix.length));
  return path.startsWith(`${userId}/`) ? path : null;
}

/** A decoded picture, ready to draw. Call `release` when it is no longer shown. */
export type LoadedImage = { element: HTMLImageElement; url: string; size: Size; type: string; release: () => void };

/**
 * Decodes a chosen file. An SVG in an <img> runs no scripts and loads no external resources; one without an intrinsic
 * size is treated as a square. Throws AppError (NOT_A_PICTURE) when the file is not a picture.
 */
export async function loadImage(file: File): Promise<LoadedImage> {
  const url = URL.createObjectURL(file);
  const element = new Image();
  element.src = url;
  try {
    await element.decode();
  } catch {
    URL.revokeObjectURL(url);
    throw notAPicture();
  }
  const size = { width: element.naturalWidth || logoSide, height: element.naturalHeight || logoSide };
  return { element, url, size, type: file.type, release: () => URL.revokeObjectURL(url) };
}

/** Draws the cropped square at the logo's size. Redrawing also strips metadata such as camera and location. */
export async function cropImage(image: LoadedImage, crop: Crop): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = logoSide;
  canvas.height = logoSide;
  const { x, y, side } = cropRect(image.size, crop);
  // Draws the whole picture and lets the canvas clip it, because an SVG has no pixels to select a source rectangle
  // from.
  const scale = logoSide / side;
  const { width, height } = image.size;
  canvas.getContext('2d')?.drawImage(image.element, -x * scale, -y * scale, width * scale, height * scale);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, croppedType(image.type), 0.92));
  if (!blob) throw notAPicture();
  return blob;
}
