import { clampCrop, cropRect, dragCrop, initialCrop } from './logo-image';

const wide = { width: 800, height: 400 };

test('the whole height of a wide picture fills the window, from its middle', () => {
  expect(cropRect(wide, initialCrop)).toEqual({ x: 200, y: 0, side: 400 });
  expect(cropRect(wide, { ...initialCrop, zoom: 2 })).toEqual({ x: 300, y: 100, side: 200 });
});

test('the window never leaves the picture', () => {
  expect(clampCrop(wide, { zoom: 1, x: 0, y: 1 })).toEqual({ zoom: 1, x: 0.25, y: 0.5 });
  expect(clampCrop(wide, { zoom: 9, x: 0.5, y: 0.5 }).zoom).toBe(4);
});

test('dragging to the right shows more of the left', () => {
  const moved = dragCrop(wide, initialCrop, { dx: 50, dy: 0 }, 200);
  expect(cropRect(wide, moved).x).toBe(100);
});
