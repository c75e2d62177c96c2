import { describe, expect, it, vi } from 'vitest';
import { sitemap } from './crawling.ts';

const SITE = 'https://questboard.example';
const QUEST = 'aaaaaaaa-0000-4000-8000-000000000001';
const addressesIn = (xml: string | null) =>
  [...(xml ?? '').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);

describe('BEY-17 the sitemap', () => {
  it('is an index with a file for each 50,000 quests or projects', async () => {
    const xml = await sitemap('/sitemap.xml', SITE, async () => [{ quests: 50_001, projects: 3 }]);
    expect(addressesIn(xml)).toEqual(
      ['pages', 'quests-1', 'quests-2', 'projects-1'].map((name) => `${SITE}/sitemaps/${name}.xml`),
    );
  });

  it("a file contains the pages' canonical addresses, and their change dates", async () => {
    const call = vi.fn(async () => [[QUEST, '2026-02-03']]);
    const xml = await sitemap('/sitemaps/quests-2.xml', SITE, call);
    expect(call).toHaveBeenCalledExactlyOnceWith('list_public_pages', { p_kind: 'quests', p_page: '2' });
    expect(xml).toContain(`<url><loc>${SITE}/browse/quest/${QUEST}</loc><lastmod>2026-02-03</lastmod></url>`);
  });

  it('the fixed pages are those that may be indexed', async () => {
    const xml = await sitemap('/sitemaps/pages.xml', SITE, async () => []);
    expect(addressesIn(xml).map((address) => address?.slice(SITE.length))).toEqual([
      '/',
      '/browse',
      '/browse?tab=projects',
      '/rewards',
      '/pricing',
      '/terms',
      '/privacy',
      '/cookies',
    ]);
  });

  it.each(['/sitemaps/quests-9.xml', '/sitemaps/members-1.xml', '/sitemaps/x', '/sitemaps/toString-1.xml'])(
    'there is no %s',
    async (path) => {
      expect(await sitemap(path, SITE, async () => [])).toBeNull();
    },
  );
});
