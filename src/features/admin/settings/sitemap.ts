/** A page that search engines may index. `updatedAt` ISO, null where it is not known. */
export type PublicPage = { path: string; updatedAt: string | null };

/** Maximum number of URLs in a sitemap (sitemaps.org). */
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
 * The sitemap of quests and projects, truncated at the maximum. For hosts without the edge function, whose sitemap
 * (vite/hosting/crawling.ts) is always current.
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
