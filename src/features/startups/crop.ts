/** A picture's place under a square window: `zoom` 1 just fills it; x and y are the window's centre, 0 to 1 in the picture. */
export type Crop = { zoom: number; x: number; y: number };
export type Size = { width: number; height: number };

export const centred: Crop = { zoom: 1, x: 0.5, y: 0.5 };
export const maxZoom = 4;

/** The square of the picture that is kept, in the picture's own pixels. */
export function sourceSquare(image: Size, crop: Crop): { x: number; y: number; side: number } {
  const side = Math.min(image.width, image.height) / crop.zoom;
  return { x: crop.x * image.width - side / 2, y: crop.y * image.height - side / 2, side };
}

const between = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** The crop with its window moved back inside the picture. */
export function clampCrop(image: Size, crop: Crop): Crop {
  const zoom = between(crop.zoom, 1, maxZoom);
  const half = Math.min(image.width, image.height) / zoom / 2;
  const marginX = half / image.width;
  const marginY = half / image.height;
  return { zoom, x: between(crop.x, marginX, 1 - marginX), y: between(crop.y, marginY, 1 - marginY) };
}

/** Moves the picture by screen pixels under a window that is `windowSide` screen pixels wide. */
export function dragCrop(image: Size, crop: Crop, move: { dx: number; dy: number }, windowSide: number): Crop {
  const perPixel = sourceSquare(image, crop).side / windowSide;
  return clampCrop(image, {
    ...crop,
    x: crop.x - (move.dx * perPixel) / image.width,
    y: crop.y - (move.dy * perPixel) / image.height,
  });
}
