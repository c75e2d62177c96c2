import { fitInto, pictureName, preparePicture, verifyUpload } from './picture';
import { fakeApi, refuse } from './testing/fake-api';

describe('a picture before it is uploaded', () => {
  it.each([
    [5120, 2560, 2560, 1280],
    [1000, 4000, 640, 2560],
    [2560, 2560, 2560, 2560],
    [300, 200, 300, 200],
    [100_000, 10, 2560, 1],
  ])('C-89 of %i by %i pixels becomes %i by %i', (width, height, newWidth, newHeight) => {
    expect(fitInto(width, height)).toEqual({ width: newWidth, height: newHeight });
  });

  it.each([
    ['shot.heic', 'image/webp', 'shot.webp'],
    ['my.first.shot.png', 'image/jpeg', 'my.first.shot.jpg'],
    ['shot', 'image/webp', 'shot.webp'],
  ])('C-89 %s written as %s is called %s', (name, type, expected) => {
    expect(pictureName(name, type)).toBe(expected);
  });

  it('C-89 is null when the browser cannot decode it', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('not decodable')));
    expect(await preparePicture(new Blob(['x']))).toBeNull();
    vi.unstubAllGlobals();
  });
});

describe('verifyUpload', () => {
  it('C-89 asks the function about this very file', async () => {
    const { calls } = fakeApi({ 'POST /functions/v1/verify-upload': { ok: true, sha256: 'x' } });
    await verifyUpload('proofs', 'user_1/a.webp');
    expect(calls.map(({ body }) => body)).toEqual([{ bucket: 'proofs', path: 'user_1/a.webp' }]);
  });

  it('C-89 says what the server found', async () => {
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
