import { openLink, proofLinkText } from './proof-link';

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
