// @vitest-environment jsdom
import { paths } from '@/lib/paths';
import { sitemapXml } from './sitemap';

describe('ADMIN-12 the sitemap of quests and projects', () => {
  const xml = sitemapXml('https://board.example', [
    { path: paths.publicQuest('q1'), updatedAt: '2026-02-03T04:05:06Z' },
    { path: '/community/project/a&b', updatedAt: null },
  ]);
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  const addresses = [...document.querySelectorAll('loc')].map((loc) => loc.textContent);

  it('is well-formed and contains the given quests and projects', () => {
    expect(document.querySelector('parsererror')).toBeNull();
    expect(addresses).toEqual(['https://board.example/browse/quest/q1', 'https://board.example/community/project/a&b']);
  });

  it('contains the change date of a page where known', () => {
    expect([...document.querySelectorAll('lastmod')].map((element) => element.textContent)).toEqual(['2026-02-03']);
  });

  it('contains no more addresses than a sitemap may', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => ({ path: `/browse/quest/${index}`, updatedAt: null }));
    expect(sitemapXml('https://board.example', many).match(/<url>/g)).toHaveLength(50_000);
  });
});
