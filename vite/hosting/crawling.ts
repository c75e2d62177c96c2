import { escapeHtml } from '../../src/lib/head/head-tags.ts';
import { heads } from '../../src/lib/head/page-head.ts';
import { paths } from '../../src/lib/paths.ts';
import type { ProjectCall } from './project-call.ts';

/** Maximum number of URLs per file (sitemaps.org). */
const FILE_SIZE = 50_000;

/** Personal pages and intermediate steps. They are guarded anyway; this spares crawlers the visit. */
const UNLISTED = [
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

/** The robots.txt of the site at this address. */
export function robotsTxt(site: string): string {
  const rules = ['User-agent: *', 'Allow: /', ...UNLISTED.map((path) => `Disallow: ${path}`)];
  return `${[...rules, '', `Sitemap: ${new URL('/sitemap.xml', site)}`].join('\n')}\n`;
}

type Lists = { quests: (id: string) => string; projects: (id: string) => string };
const ADDRESSES: Lists = { quests: paths.publicQuest, projects: paths.project };

/**
 * The sitemap at a path, always generated from the current database: an index at /sitemap.xml, files of up to 50,000 addresses below
 * /sitemaps/. Null for other paths and for a file that is not in the index.
 */
export async function sitemap(pathname: string, site: string, call: ProjectCall): Promise<string | null> {
  if (pathname === '/sitemap.xml') return sitemapIndex(site, call);
  if (pathname === '/sitemaps/pages.xml') return urlSet(site, listedPages());
  const [, kind, page] = /^\/sitemaps\/(quests|projects)-([1-9]\d{0,3})\.xml$/.exec(pathname) ?? [];
  if (!isList(kind)) return null;
  const rows = (await call('list_public_pages', { p_kind: kind, p_page: String(page) })) as [id: string, day: string][];
  if (rows.length === 0) return null;
  return urlSet(
    site,
    rows.map(([id, day]) => ({ path: ADDRESSES[kind](id), day })),
  );
}

const isList = (kind: string | undefined): kind is keyof Lists => kind !== undefined && kind in ADDRESSES;

/** The public pages without parameters that search engines may list. */
const listedPages = () =>
  Object.values(heads).flatMap(({ canonicalPath, isIndexed }) =>
    canonicalPath !== undefined && isIndexed ? [{ path: canonicalPath }] : [],
  );

async function sitemapIndex(site: string, call: ProjectCall): Promise<string> {
  const [counts] = (await call('count_public_pages', {})) as [Record<keyof Lists, number>];
  const files = (['quests', 'projects'] as const).flatMap((kind) =>
    Array.from({ length: Math.ceil(counts[kind] / FILE_SIZE) }, (_, index) => `/sitemaps/${kind}-${index + 1}.xml`),
  );
  return document(
    'sitemapindex',
    ['/sitemaps/pages.xml', ...files].map((path) => `<sitemap><loc>${location(path, site)}</loc></sitemap>`),
  );
}

const urlSet = (site: string, pages: { path: string; day?: string }[]) =>
  document(
    'urlset',
    pages.map(
      ({ path, day }) => `<url><loc>${location(path, site)}</loc>${day ? `<lastmod>${day}</lastmod>` : ''}</url>`,
    ),
  );

const location = (path: string, site: string) => escapeHtml(new URL(path, site).href);

function document(root: string, lines: string[]): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;
  return `${start}${lines.map((line) => `  ${line}\n`).join('')}</${root}>\n`;
}
