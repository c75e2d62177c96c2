import { render } from '@testing-library/react';
import { PageMeta } from './page-meta';

const canonical = () => document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;

it('gives a page its title, description and canonical address without the query', () => {
  window.history.replaceState(null, '', '/browse?utm_source=letter');
  render(<PageMeta title="Explore" description="All quests" />);
  expect(document.title).toBe('Explore · Questboard');
  expect(document.querySelector('meta[name=description]')).toHaveAttribute('content', 'All quests');
  expect(canonical()).toBe(`${window.location.origin}/browse`);
});

it('names the site where it is configured, and the path that a page with several is known by', () => {
  vi.stubEnv('VITE_SITE_URL', 'https://questboard.example');
  render(<PageMeta canonicalPath="/browse/quest/1" />);
  expect(canonical()).toBe('https://questboard.example/browse/quest/1');
});
