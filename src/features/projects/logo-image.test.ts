import { clampCrop, cropRect, dragCrop, initialCrop, shownLogo } from './logo-image';

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

describe('C-101 a logo is loaded', () => {
  const bucket = '/storage/v1/object/public/project-logos/user_1/a.png';
  it.each([
    ['from our bucket by its path', bucket, `http://supabase.test${bucket}`],
    [
      'from our bucket, whatever host it was saved with',
      `https://old.example${bucket}`,
      `http://supabase.test${bucket}`,
    ],
    ['from the site itself', '/demo/logos/saltbox.svg', '/demo/logos/saltbox.svg'],
    ['as it was just chosen', 'blob:http://x/1', 'blob:http://x/1'],
    ['from no other host', 'https://spy.example/pixel.png', null],
    ['from no other host without a scheme', '//spy.example/pixel.png', null],
    ['from nowhere without one', null, null],
  ])('%s', (_case, logoUrl, shown) => {
    expect(shownLogo(logoUrl)).toBe(shown);
  });
});
