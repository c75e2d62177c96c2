import { render } from '@testing-library/react';
import { heads } from '@/lib/head/page-head';
import { PageMeta } from './page-meta';

const attribute = (selector: string, name: string) => document.head.querySelector(selector)?.getAttribute(name);

it("BEY-17 replaces the prerendered title, description and canonical address with the page's own", () => {
  document.head.innerHTML =
    '<meta charset="utf-8"><title data-head>Old</title><meta data-head name="robots" content="noindex">';
  window.history.replaceState(null, '', '/browse?utm_source=letter');
  render(<PageMeta {...heads.quests} />);
  expect(document.title).toBe('Explore quests · Questboard');
  expect(document.querySelectorAll('title')).toHaveLength(1);
  expect(attribute('meta[name=description]', 'content')).toBe(heads.quests.description);
  expect(attribute('link[rel=canonical]', 'href')).toBe(`${window.location.origin}/browse`);
  expect(document.head.querySelector('meta[name=robots]')).toBeNull();
  expect(document.head.querySelector('meta[charset]')).not.toBeNull();
});

it('a private page is noindex and has no canonical address', () => {
  const { rerender } = render(<PageMeta {...heads.pricing} />);
  rerender(<PageMeta title="Settings" />);
  expect(document.title).toBe('Settings · Questboard');
  expect(attribute('meta[name=robots]', 'content')).toBe('noindex');
  expect(document.head.querySelector('link[rel=canonical], meta[property^="og:"], script')).toBeNull();
});

it('uses the configured site address', () => {
  vi.stubEnv('VITE_SITE_URL', 'https://questboard.example');
  render(<PageMeta {...heads.pricing} />);
  expect(attribute('link[rel=canonical]', 'href')).toBe('https://questboard.example/pricing');
});

it('BEY-17 keeps the prerendered preview image until another page is shown', () => {
  const site = 'https://questboard.example';
  vi.stubEnv('VITE_SITE_URL', site);
  const picture = `${site}/previews/quest/1/a.png`;
  document.head.innerHTML = `<meta data-head property="og:url" content="${site}/pricing">
    <meta data-head property="og:image" content="${picture}"><meta data-head name="twitter:image" content="${picture}">`;
  const pictures = () => [
    attribute('meta[property="og:image"]', 'content'),
    attribute('meta[name="twitter:image"]', 'content'),
  ];
  const { rerender } = render(<PageMeta {...heads.pricing} />);
  expect(pictures()).toEqual([picture, picture]);
  expect(document.head.querySelectorAll('meta[property="og:image"]')).toHaveLength(1);
  rerender(<PageMeta {...heads.terms} />);
  expect(pictures()).toEqual([`${site}/preview.png`, `${site}/preview.png`]);
});
