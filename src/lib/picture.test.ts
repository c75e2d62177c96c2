import { fitInto, pictureName, preparePicture, verifyUpload } from './picture';
import { fakeApi, refuse } from './testing/fake-api';

describe('preparing a picture for upload', () => {
  it.each([
    [5120, 2560, 2560, 1280],
    [1000, 4000, 640, 2560],
    [2560, 2560, 2560, 2560],
    [300, 200, 300, 200],
    [100_000, 10, 2560, 1],
  ])('C-89 scales %i by %i pixels to %i by %i', (width, height, newWidth, newHeight) => {
    expect(fitInto(width, height)).toEqual({ width: newWidth, height: newHeight });
  });

  it.each([
    ['shot.heic', 'image/webp', 'shot.webp'],
    ['my.first.shot.png', 'image/jpeg', 'my.first.shot.jpg'],
    ['shot', 'image/webp', 'shot.webp'],
  ])('C-89 names %s written as %s %s', (name, type, expected) => {
    expect(pictureName(name, type)).toBe(expected);
  });

  it('C-89 is null when the browser cannot decode it', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('not decodable')));
    expect(await preparePicture(new Blob(['x']))).toBeNull();
    vi.unstubAllGlobals();
  });
});

describe('C-89 a prepared picture', () => {
  type Browser = { width: number; height: number; writes: string[]; draws?: boolean };

  /** A browser that decodes pictures of this size and encodes these types; `drawn` records the canvas calls, in order. */
  function browser({ width, height, writes, draws = true }: Browser) {
    const drawn: unknown[] = [];
    vi.stubGlobal('createImageBitmap', async () => ({ width, height }));
    vi.stubGlobal(
      'OffscreenCanvas',
      class {
        constructor(...size: number[]) {
          drawn.push(['canvas', ...size]);
        }
        getContext(kind: string) {
          const context = {
            globalCompositeOperation: 'source-over',
            fillStyle: '#000',
            drawImage: (_: unknown, ...place: number[]) => drawn.push(['picture', ...place]),
            fillRect: (...place: number[]) =>
              drawn.push([context.globalCompositeOperation, context.fillStyle, ...place]),
          };
          return draws && kind === '2d' ? context : null;
        }
        async convertToBlob({ type, quality }: { type: string; quality: number }) {
          drawn.push([type, quality]);
          return new Blob(['x'], { type: writes.includes(type) ? type : 'image/png' });
        }
      },
    );
    return drawn;
  }
  afterEach(() => void vi.unstubAllGlobals());

  it('is scaled, and encoded as WebP', async () => {
    const drawn = browser({ width: 5120, height: 2560, writes: ['image/webp', 'image/jpeg'] });
    expect((await preparePicture(new Blob(['x'])))?.type).toBe('image/webp');
    expect(drawn).toEqual([
      ['canvas', 2560, 1280],
      ['picture', 0, 0, 2560, 1280],
      ['image/webp', 0.9],
    ]);
  });

  it('is null if the browser cannot draw it: a blank one would pass as a proof', async () => {
    browser({ width: 300, height: 200, writes: ['image/webp'], draws: false });
    expect(await preparePicture(new Blob(['x']))).toBeNull();
  });

  it('is a JPEG on white if the browser cannot encode WebP', async () => {
    const drawn = browser({ width: 300, height: 200, writes: ['image/jpeg'] });
    expect((await preparePicture(new Blob(['x'])))?.type).toBe('image/jpeg');
    expect(drawn).toEqual([
      ['canvas', 300, 200],
      ['picture', 0, 0, 300, 200],
      ['image/webp', 0.9],
      ['destination-over', '#fff', 0, 0, 300, 200],
      ['image/jpeg', 0.9],
    ]);
  });
});

describe('verifyUpload', () => {
  it('C-89 asks the function about exactly this file', async () => {
    const { calls } = fakeApi({ 'POST /functions/v1/verify-upload': { ok: true, sha256: 'x' } });
    await verifyUpload('proofs', 'user_1/a.webp');
    expect(calls.map(({ body }) => body)).toEqual([{ bucket: 'proofs', path: 'user_1/a.webp' }]);
  });

  it('C-89 returns what the server found', async () => {
    const body = { ok: false, code: 'NOT_A_PICTURE', message: 'Please select an image file (PNG, JPG, GIF, etc.)' };
    fakeApi({ 'POST /functions/v1/verify-upload': Response.json(body, { status: 422 }) });
    await expect(verifyUpload('proofs', 'user_1/a.webp')).rejects.toMatchObject({
      code: 'NOT_A_PICTURE',
      message: body.message,
    });
    fakeApi({ 'POST /functions/v1/verify-upload': refuse(409, 'UPLOAD_LIMIT', 'You have uploaded too many files.') });
    await expect(verifyUpload('proofs', 'x')).rejects.toMatchObject({ code: 'UPLOAD_LIMIT' });
  });
});
