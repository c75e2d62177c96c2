/** A page that search engines may list. `updatedAt` ISO, null where it is not known. */
export type PublicPage = { path: string; updatedAt: string | null };

/** Most addresses a sitemap may hold (sitemaps.org). */
const maxUrls = 50_000;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/**
 * The sitemap of a site's quests and projects; further ones are left out where there are too many. For hosts without
 * the edge function, whose own sitemap (vite/hosting/crawling.ts) is always current.
 */
export function sitemapXml(siteUrl: string, pages: readonly PublicPage[]): string {
  const lines = pages.slice(0, maxUrls).map(({ path, updatedAt }) => {
    const changed = updatedAt ? `<lastmod>${new Date(updatedAt).toISOString().slice(0, 10)}</lastmod>` : '';
    return `  <url><loc>${escapeXml(new URL(path, siteUrl).href)}</loc>${changed}</url>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...lines,
    '</urlset>',
    '',
  ].join('\n');
}
