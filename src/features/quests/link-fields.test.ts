import { linkAddress, linkFields, stripHandlePrefix } from './link-fields';

test.each([
  ['https://example.com', 'example.com'],
  ['http://www.example.com/a?b=c', 'example.com/a?b=c'],
  ['HTTPS://WWW.Example.com', 'Example.com'],
  ['www.example.com', 'example.com'],
  ['  https://example.com', 'example.com'],
  ['example.com/https://', 'example.com/https://'],
  ['wwworld.example', 'wwworld.example'],
])('QNEW-10 the URL inputs store %s as %s', (typed, kept) => {
  expect(linkFields.productUrl.clean(typed)).toBe(kept);
  expect(linkFields.newsletterUrl.clean(typed)).toBe(kept);
  expect([linkFields.productUrl.prefix, linkFields.newsletterUrl.prefix]).toEqual(['https://', 'https://']);
});

test.each([
  ['discord.gg/abc', 'abc'],
  ['https://discord.gg/abc', 'abc'],
  ['https://www.discord.com/invite/abc', 'abc'],
  ['  http://discord.gg/abc', 'abc'],
  ['abc/discord.gg/x', 'abc/discord.gg/x'],
  ['abc', 'abc'],
])('QNEW-10 the Discord input stores %s as %s', (typed, kept) => {
  expect(linkFields.discordInvite.clean(typed)).toBe(kept);
});

test('a handle is stored without @ and address', () => {
  const typed = ['@acme', ' @acme', 'https://x.com/acme', 'http://x.com/acme', 'twitter.com/acme', 'acme'];
  expect(typed.map(stripHandlePrefix)).toEqual(Array(6).fill('acme'));
  expect(['ac@me', 'acme/x.com/a'].map(stripHandlePrefix)).toEqual(['ac@me', 'acme/x.com/a']);
});

test('the full address is sent', () => {
  expect(linkAddress('productUrl', 'example.com/a')).toBe('https://example.com/a');
  expect(linkAddress('twitterHandle', '@acme')).toBe('https://x.com/acme');
  expect(linkAddress('discordInvite', 'discord.gg/abc')).toBe('https://discord.gg/abc');
  expect(linkAddress('productUrl', '  ')).toBeNull();
  expect(linkAddress('customInstructions', 'Do it')).toBeNull();
});
