import { type Crop, type Size, sourceSquare } from './crop';
import { croppedType, logoSide } from './logo-file';

/** A chosen picture, ready to be drawn. Call `release` when it is no longer shown. */
export type LoadedImage = { element: HTMLImageElement; url: string; size: Size; type: string; release: () => void };

/**
 * Reads a chosen file as a picture. In an <img> an SVG runs no scripts and loads nothing from elsewhere; one without a
 * size of its own is taken as a square. Throws a sentence for the user when the file is no picture.
 */
export async function loadImage(file: File): Promise<LoadedImage> {
  const url = URL.createObjectURL(file);
  const element = new Image();
  element.src = url;
  try {
    await element.decode();
  } catch {
    URL.revokeObjectURL(url);
    throw new Error('We could not read this image. Please save it as PNG and try again.');
  }
  const size = { width: element.naturalWidth || logoSide, height: element.naturalHeight || logoSide };
  return { element, url, size, type: file.type, release: () => URL.revokeObjectURL(url) };
}

/** Draws the kept square at the logo's size. Re-drawing also drops what the file said about camera and place. */
export async function cropImage(image: LoadedImage, crop: Crop): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = logoSide;
  canvas.height = logoSide;
  const { x, y, side } = sourceSquare(image.size, crop);
  // The whole picture is drawn and what lies outside is cut off: an SVG has no pixels of its own to choose from.
  const scale = logoSide / side;
  const { width, height } = image.size;
  canvas.getContext('2d')?.drawImage(image.element, -x * scale, -y * scale, width * scale, height * scale);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, croppedType(image.type), 0.92));
  if (!blob) throw new Error('We could not read this image. Please save it as PNG and try again.');
  return blob;
}
