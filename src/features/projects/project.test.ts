import { displayUrl, ensureScheme, formerName, isWebAddress } from './project';

test('SPROF-03 SPROF-06 https:// is added to an address without a scheme', () => {
  expect(ensureScheme(' example.com ')).toBe('https://example.com');
  expect(ensureScheme('http://example.com')).toBe('http://example.com');
  expect(ensureScheme('  ')).toBe('');
  expect(ensureScheme('https://')).toBe('');
  expect(ensureScheme('https://http://example.com')).toBe('http://example.com');
});

test.each([
  ['example.com', true],
  ['https://example.com/path?q=1', true],
  ['localhost', false],
  ['my site.com', false],
  ['javascript:alert(1)', false],
  ['ftp://example.com', false],
  ['https://', false],
  ['https://example', false],
  ['https://example.', false],
  ['https://my site.com', false],
])('%s is a web address: %s', (address, isOne) => {
  expect(isWebAddress(address)).toBe(isOne);
});

test('addresses are shown without scheme and www', () => {
  expect(displayUrl('https://www.example.com/')).toBe('example.com');
});

test('C-96 a former name is shown for 30 days', () => {
  const renamed = { former_name: 'Paper Plane', renamed_at: '2026-03-01T12:00:00+00:00' };
  expect(formerName(renamed, Date.parse('2026-03-31T11:59:59Z'))).toBe('Paper Plane');
  expect(formerName(renamed, Date.parse('2026-03-31T12:00:00Z'))).toBeNull();
  expect(formerName({ former_name: null, renamed_at: null })).toBeNull();
});
