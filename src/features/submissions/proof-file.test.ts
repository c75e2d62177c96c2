import {
  checkScreenshot,
  detectImageType,
  maxScreenshotBytes,
  proofObjectName,
  sanitizeFileName,
  screenshotName,
  screenshotProofUrl,
} from './proof-file';

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13];
const file = (bytes: number[], type: string, size = bytes.length) => {
  const content = new Uint8Array(size);
  content.set(bytes);
  return new File([content], 'shot.png', { type });
};

describe('checkScreenshot', () => {
  it('QUEST-20 accepts an image of exactly 10485760 bytes', async () => {
    expect(await checkScreenshot(file(png, 'image/png', maxScreenshotBytes))).toEqual({ ok: true, type: 'image/png' });
  });

  it('QUEST-20 refuses one byte more', async () => {
    expect(await checkScreenshot(file(png, 'image/png', maxScreenshotBytes + 1))).toEqual({
      ok: false,
      message: 'File size must be less than 10MB',
    });
  });

  it.each([
    ['another type', file(png, 'application/pdf')],
    ['text that only claims to be an image', file([0x68, 0x69], 'image/png')],
    ['an SVG, which could carry scripts', new File(['<svg/>'], 'x.svg', { type: 'image/svg+xml' })],
  ])('QUEST-20 C-59 refuses %s', async (_case, chosen) => {
    expect(await checkScreenshot(chosen)).toEqual({
      ok: false,
      message: 'Please select an image file (PNG, JPG, GIF, etc.)',
    });
  });

  it('goes by the content where the declared image type is another one', async () => {
    expect(await checkScreenshot(file(png, 'image/jpeg'))).toEqual({ ok: true, type: 'image/png' });
  });
});

describe('detectImageType', () => {
  const bytes = (text: string) => new Uint8Array([...text].map((letter) => letter.charCodeAt(0)));
  it.each([
    ['GIF87a..', 'image/gif'],
    ['GIF89a..', 'image/gif'],
    ['RIFF....WEBPVP8 ', 'image/webp'],
    ['RIFF....WAVEfmt ', null],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['', null],
  ])('reads %j as %s', (text, type) => {
    expect(detectImageType(bytes(text))).toBe(type);
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

  it('QUEST-21 cuts to 100 characters', () => {
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

it('tells an uploaded screenshot from a link', () => {
  expect(screenshotName(screenshotProofUrl('user_1/proof_1_a.png'))).toBe('user_1/proof_1_a.png');
  expect(screenshotName('https://example.com/proofs/a.png')).toBeNull();
  expect(screenshotName(null)).toBeNull();
});
