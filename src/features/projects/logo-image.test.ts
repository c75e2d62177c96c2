import {
  clampCrop,
  cropImage,
  croppedType,
  cropRect,
  dragCrop,
  initialCrop,
  loadImage,
  logoFileProblem,
  logoPath,
  ownLogoPath,
} from './logo-image';

const wide = { width: 800, height: 400 };

test('the crop window covers the whole height of a wide picture, centred', () => {
  expect(cropRect(wide, initialCrop)).toEqual({ x: 200, y: 0, side: 400 });
  expect(cropRect(wide, { ...initialCrop, zoom: 2 })).toEqual({ x: 300, y: 100, side: 200 });
});

test('the crop window never leaves the picture', () => {
  expect(clampCrop(wide, { zoom: 1, x: 0, y: 1 })).toEqual({ zoom: 1, x: 0.25, y: 0.5 });
  expect(clampCrop(wide, { zoom: 9, x: 0.5, y: 0.5 }).zoom).toBe(4);
});

test('nor does it leave a tall picture or exceed its size', () => {
  const tall = { width: 400, height: 800 };
  expect(clampCrop(tall, { zoom: 0.5, x: 1, y: 1 })).toEqual({ zoom: 1, x: 0.5, y: 0.75 });
  expect(clampCrop(tall, { zoom: 2, x: 0, y: 0 })).toEqual({ zoom: 2, x: 0.25, y: 0.125 });
  expect(cropRect(tall, { zoom: 2, x: 0.25, y: 0.5 })).toEqual({ x: 0, y: 300, side: 200 });
});

test('dragging down shows more of the top, by the distance dragged', () => {
  const tall = { width: 400, height: 800 };
  const moved = dragCrop(tall, initialCrop, { dx: 0, dy: 50 }, 200);
  expect(cropRect(tall, moved)).toEqual({ x: 0, y: 100, side: 400 });
});

describe('C-56 a chosen picture', () => {
  const file = new File(['x'], 'logo.svg', { type: 'image/svg+xml' });

  /** A browser that decodes pictures of this size, or none. */
  function browser(size: { width: number; height: number } | null) {
    vi.stubGlobal(
      'Image',
      class {
        src = '';
        naturalWidth = size?.width;
        naturalHeight = size?.height;
        decode = () => (size ? Promise.resolve() : Promise.reject(new Error('not decodable')));
      },
    );
    const drawn: unknown[] = [];
    const canvas = {
      width: 0,
      height: 0,
      getContext: (kind: string) =>
        kind === '2d' && { drawImage: (_: unknown, ...place: number[]) => drawn.push(...place) },
      toBlob: (give: (blob: Blob | null) => void, type: string) => give(size && new Blob(['x'], { type })),
    };
    vi.stubGlobal('document', { createElement: (name: string) => (name === 'canvas' ? canvas : null) });
    const release = vi.spyOn(URL, 'revokeObjectURL');
    return { canvas, drawn, release };
  }
  afterEach(() => void vi.unstubAllGlobals());

  it('is decoded with its size, and its object URL is revoked when it is no longer shown', async () => {
    const { release } = browser({ width: 800, height: 400 });
    const image = await loadImage(file);
    expect(image).toMatchObject({ size: { width: 800, height: 400 }, type: 'image/svg+xml' });
    expect(image.element.src).toBe(image.url);
    expect(release).not.toHaveBeenCalled();
    image.release();
    expect(release).toHaveBeenCalledWith(image.url);
  });

  it('without intrinsic size is a square', async () => {
    browser({ width: 0, height: 0 });
    expect((await loadImage(file)).size).toEqual({ width: 512, height: 512 });
  });

  it('that cannot be decoded says so, and its object URL is revoked', async () => {
    const { release } = browser(null);
    await expect(loadImage(file)).rejects.toMatchObject({
      code: 'NOT_A_PICTURE',
      message: 'We could not read this image. Please save it as PNG and try again.',
    });
    expect(release).toHaveBeenCalledOnce();
  });

  it('is drawn so that the crop fills 512 by 512 pixels, an SVG as PNG', async () => {
    const { canvas, drawn } = browser({ width: 800, height: 400 });
    const blob = await cropImage(await loadImage(file), { zoom: 2, x: 0.5, y: 0.5 });
    expect([canvas.width, canvas.height]).toEqual([512, 512]);
    expect(drawn).toEqual([-768, -256, 2048, 1024]);
    expect(blob.type).toBe('image/png');
  });

  it('that the browser cannot encode says so', async () => {
    browser({ width: 800, height: 400 });
    const image = await loadImage(file);
    browser(null);
    await expect(cropImage(image, initialCrop)).rejects.toMatchObject({
      code: 'NOT_A_PICTURE',
      message: 'We could not read this image. Please save it as PNG and try again.',
    });
  });
});

test('dragging right shows more of the left', () => {
  const moved = dragCrop(wide, initialCrop, { dx: 50, dy: 0 }, 200);
  expect(cropRect(wide, moved).x).toBe(100);
});

test.each(['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'])('SPROF-04 %s is accepted as a logo', (type) => {
  expect(logoFileProblem({ type, size: 5 * 1024 * 1024 })).toBeNull();
});

test('SPROF-04 other types and more than 5 MB are refused', () => {
  expect(logoFileProblem({ type: 'application/pdf', size: 1 })).toBe('Please choose a PNG, JPG, WebP or SVG image');
  expect(logoFileProblem({ type: 'image/png', size: 5 * 1024 * 1024 + 1 })).toBe(
    'Please choose an image smaller than 5MB',
  );
});

test('an SVG is stored as PNG, everything else in its own format', () => {
  expect(croppedType('image/svg+xml')).toBe('image/png');
  expect(croppedType('image/webp')).toBe('image/webp');
});

test("SPROF-04 the file is named with user id, timestamp and extension in the user's folder", () => {
  expect(logoPath('user_1', 'image/jpeg', 1700)).toBe('user_1/user_1_1700.jpg');
});

test("only an uploaded logo in the user's own folder can be removed", () => {
  const prefix = 'https://files.example/storage/v1/object/public/project-logos/';
  expect(ownLogoPath(`${prefix}user_1/user_1_1700.jpg`, prefix, 'user_1')).toBe('user_1/user_1_1700.jpg');
  expect(ownLogoPath(`${prefix}user_12/user_12_1700.jpg`, prefix, 'user_1')).toBeNull();
  expect(ownLogoPath('https://elsewhere.example/logo.png', prefix, 'user_1')).toBeNull();
  expect(ownLogoPath(null, prefix, 'user_1')).toBeNull();
});
