import { croppedType, logoFileProblem, logoPath, ownLogoPath } from './logo-image';

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
