import { shownLogo } from './project-logo';

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
    ['from nowhere without an address', null, null],
  ])('%s', (_case, logoUrl, shown) => {
    expect(shownLogo(logoUrl)).toBe(shown);
  });
});
