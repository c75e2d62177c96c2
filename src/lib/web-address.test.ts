import { displayUrl, ensureScheme, isWebAddress } from './web-address';

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
  ['https://user:secret@example.com', false],
  ['https://example.com/<b>', false],
  [`https://example.com/${'a'.repeat(2028)}`, true],
  [`https://example.com/${'a'.repeat(2029)}`, false],
])('%s is a web address: %s', (address, isOne) => {
  expect(isWebAddress(address)).toBe(isOne);
});

test('addresses are shown without scheme and www', () => {
  expect(displayUrl('https://www.example.com/')).toBe('example.com');
});
