import {
  openLink,
  prepareScreenshot,
  proofLinkText,
  proofObjectName,
  sanitizeFileName,
  screenshotName,
  screenshotProofUrl,
} from './proof';
import { browserPictures } from './testing/fake-upload';

const chosen = (type: string, { name = 'shot.png', size = 12 } = {}) =>
  new File([new Uint8Array(size)], name, { type });
const notAnImage = { ok: false, message: 'Please select an image file (PNG, JPG, GIF, etc.)' };

describe('prepareScreenshot', () => {
  beforeEach(() => browserPictures());
  afterEach(() => vi.unstubAllGlobals());

  it('QUEST-20 accepts an image of exactly 10485760 bytes', async () => {
    expect(await prepareScreenshot(chosen('image/png', { size: 10_485_760 }))).toMatchObject({ ok: true });
  });

  it('QUEST-20 refuses one byte more', async () => {
    expect(await prepareScreenshot(chosen('image/png', { size: 10_485_761 }))).toEqual({
      ok: false,
      message: 'File size must be less than 10MB',
    });
  });

  it.each([
    ['another type', chosen('application/pdf')],
    ['an SVG, which could carry scripts', chosen('image/svg+xml', { name: 'x.svg' })],
  ])('QUEST-20 C-59 refuses %s', async (_case, file) => {
    expect(await prepareScreenshot(file)).toEqual(notAnImage);
  });

  it('C-89 refuses what the browser cannot decode, with the specified sentence', async () => {
    browserPictures({ canDecode: false });
    expect(await prepareScreenshot(chosen('image/png'))).toEqual(notAnImage);
  });

  it('C-89 refuses what the browser cannot draw, instead of waiting for it forever', async () => {
    vi.stubGlobal('OffscreenCanvas', undefined);
    expect(await prepareScreenshot(chosen('image/png'))).toEqual(notAnImage);
  });

  it("C-89 uploads a phone's picture as WebP, even if the system knows no type for it", async () => {
    const prepared = await prepareScreenshot(chosen('', { name: 'IMG_1.HEIC' }));
    expect(prepared).toMatchObject({ ok: true, picture: { name: 'IMG_1.webp', type: 'image/webp' } });
  });

  it('C-89 uploads JPEG if the browser cannot encode WebP', async () => {
    browserPictures({ writes: 'image/jpeg' });
    const prepared = await prepareScreenshot(chosen('image/heic', { name: 'a.heic' }));
    expect(prepared).toMatchObject({ ok: true, picture: { name: 'a.jpg', type: 'image/jpeg' } });
  });
});

describe('sanitizeFileName', () => {
  it.each([
    ['Écran à jour.PNG', 'Ecran_a_jour.PNG'],
    ['my  photo (1).jpg', 'my_photo_1_.jpg'],
    ['__a__b__', 'a_b'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['日本.png', '.png'],
    ['x^y.png', 'x_y.png'],
    ['a-b.c_d.webp', 'a-b.c_d.webp'],
  ])('QUEST-21 makes %j into %j', (name, safe) => {
    expect(sanitizeFileName(name)).toBe(safe);
  });

  it('QUEST-21 truncates to 100 characters', () => {
    expect(sanitizeFileName('a'.repeat(150))).toBe('a'.repeat(100));
  });
});

describe('proofObjectName', () => {
  it('QUEST-21 C-59 stores as proof_{timestamp}_{name} in the member’s folder', () => {
    expect(proofObjectName('user_1', 'Café.png', 1767225600000)).toBe('user_1/proof_1767225600000_Cafe.png');
  });

  it('names a file whose name has no usable character', () => {
    expect(proofObjectName('user_1', '写真', 1)).toBe('user_1/proof_1_screenshot');
  });
});

it('distinguishes an uploaded screenshot from a link', () => {
  expect(screenshotName(screenshotProofUrl('user_1/proof_1_a.png'))).toBe('user_1/proof_1_a.png');
  expect(screenshotName('https://example.com/proofs/a.png')).toBeNull();
  expect(screenshotName(null)).toBeNull();
});

it.each([
  ['https://blog.example/post/', 'blog.example/post'],
  ['http://blog.example', 'blog.example'],
  ['https://x.test/?to=https://y.test/a', 'x.test/?to=https://y.test/a'],
  ['proofs/user_1/a.png', 'screenshot'],
])('the link %s is shown as %s', (url, address) => {
  expect(proofLinkText(url)).toBe(address);
});

it("a member's link opens in a window without opener, a screenshot does not", () => {
  const open = vi.fn();
  vi.stubGlobal('window', { open });
  openLink({ proof_url: 'proofs/user_1/a.png' });
  openLink({ proof_url: null });
  expect(open).not.toHaveBeenCalled();
  openLink({ proof_url: 'https://x.test' });
  expect(open).toHaveBeenCalledWith('https://x.test', '_blank', 'noopener,noreferrer');
  vi.unstubAllGlobals();
});
