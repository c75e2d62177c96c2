import type { Plugin } from 'vite';
import { paths } from '../src/lib/paths.ts';

/** What search engines may list; quest and project pages are found through these. */
const listed = [paths.home, paths.browse(), paths.browse('projects'), paths.rewards, paths.pricing];

/** What is somebody's own, or a step on the way. The pages themselves are guarded; this spares crawlers the visit. */
const unlisted = [
  paths.founder,
  paths.admin,
  paths.profile,
  paths.settings,
  paths.onboarding,
  paths.appDashboard,
  paths.communityProfile,
  paths.communitySettings,
  paths.referrals,
  '/auth/',
  '/api/',
  '/confirm-subscription',
  '/unsubscribe',
];

/** Where the admin's Update Sitemap keeps the quests' and projects' pages (features/admin/settings). */
const questsSitemap = '/storage/v1/object/public/site/sitemap.xml';

/**
 * robots.txt; a site whose address is known also names its sitemaps, which must be absolute addresses: that of the build,
 * and the admin's on the platform.
 */
export function robotsTxt(siteUrl: string | undefined, platformUrl?: string): string {
  const rules = ['User-agent: *', 'Allow: /', ...unlisted.map((path) => `Disallow: ${path}`)];
  const sitemaps = siteUrl ? ['', `Sitemap: ${new URL('/sitemap.xml', siteUrl)}`] : [];
  if (siteUrl && platformUrl) sitemaps.push(`Sitemap: ${new URL(questsSitemap, platformUrl)}`);
  return `${[...rules, ...sitemaps].join('\n')}\n`;
}

/** sitemap.xml with the public pages under the site's address. */
export function sitemapXml(siteUrl: string): string {
  const urls = listed.map((path) => `  <url><loc>${new URL(path, siteUrl).href.replaceAll('&', '&amp;')}</loc></url>`);
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  return [head, `<urlset xmlns="${schema}">`, ...urls, '</urlset>', ''].join('\n');
}

/** Adds robots.txt to a build, and sitemap.xml when VITE_SITE_URL says where the site lives. */
export function siteFiles(): Plugin {
  let siteUrl: string | undefined;
  let platformUrl: string | undefined;
  return {
    name: 'site-files',
    apply: 'build',
    configResolved({ env }) {
      siteUrl = env.VITE_SITE_URL || undefined;
      platformUrl = env.VITE_SUPABASE_URL || undefined;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'robots.txt', source: robotsTxt(siteUrl, platformUrl) });
      if (siteUrl) this.emitFile({ type: 'asset', fileName: 'sitemap.xml', source: sitemapXml(siteUrl) });
    },
  };
}
