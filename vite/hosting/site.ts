import { type EarlyRequest, renderEarlyRequests, requestsOf } from '../../src/lib/head/early-requests.ts';
import { renderHead } from '../../src/lib/head/head-tags.ts';
import { renderBody } from '../../src/lib/head/page-body.ts';
import { factsOf, type PageFacts, pageHead } from '../../src/lib/head/page-head.ts';
import { type PageRoute, pageRoute } from '../../src/lib/head/page-route.ts';
import type { PrerenderedPage } from '../prerendered-pages.ts';
import { robotsTxt, sitemap } from './crawling.ts';
import { type ProjectCall, projectCall } from './project-call.ts';

/** Configuration of the site. Everything in it is public. */
export interface SiteOptions {
  /** The built page; its head contains HEAD_START, the head of home and HEAD_END. */
  html: string;
  /** What the build has rendered for a path, or for a kind of page: the markup of #root, preloads and first requests. */
  prerendered?: Record<string, PrerenderedPage>;
  /** Headers of every page: hosts add their configured headers to files only. */
  headers: Record<string, string>;
  /** Its address; that of the request if the build did not know it. */
  siteUrl?: string;
  projectUrl?: string;
  anonKey?: string;
}

export const HEAD_START = '<!--head-->';
export const HEAD_END = '<!--/head-->';
const EMPTY_ROOT = '<div id="root"></div>';

/**
 * Shared caches keep a page for as long as the database allows its data to be cached. Browsers revalidate it each time.
 */
const CACHED = { 'Cache-Control': 'no-cache', 'CDN-Cache-Control': 'public, max-age=60' };
const UNCACHED = { 'Cache-Control': 'no-cache', 'CDN-Cache-Control': 'no-store' };

/** As in lib/paths.ts. */
const PREVIEW = /^\/previews\/(quest|project|member|invitation)\/([\w.-]+)\/([0-9a-f]{32})\.png$/;
/** Crawlers wait about this long for an image. */
const DRAWING_MS = 10_000;

/**
 * Answers every address of the site that is not a file, identically for everybody: pages with their head and status, preview images,
 * robots.txt and the sitemap. Uses only web standards: it runs as an edge function of Netlify and Vercel and in Vite's own servers.
 */
export function createSite({ headers, projectUrl, anonKey, siteUrl, prerendered = {}, ...options }: SiteOptions) {
  const call: ProjectCall =
    projectUrl && anonKey
      ? projectCall(projectUrl, anonKey)
      : () => Promise.reject(new Error('This site is not configured: it has no project to ask.'));

  return async ({ method, url: address }: Pick<Request, 'method' | 'url'>, html = options.html): Promise<Response> => {
    if (method !== 'GET' && method !== 'HEAD') return answer('', 405, { Allow: 'GET, HEAD' });
    const url = new URL(address);
    const site = siteUrl || url.origin;
    if (url.pathname === '/robots.txt') return answer(robotsTxt(site), 200, { ...CACHED, ...TEXT });
    if (/^\/sitemap(?:\.xml$|s\/)/.test(url.pathname)) return answerSitemap(url.pathname, site);
    if (url.pathname.startsWith('/previews/')) return answerPreview(url.pathname);
    // Of another version of the site, which may be back tomorrow.
    if (url.pathname.startsWith('/assets/')) return answer(NO_FILE, 404, { ...UNCACHED, ...TEXT });

    const route = pageRoute(url);
    const { facts, isWhole } = await readFacts(route, call);
    const head = pageHead(route, facts);
    const built = prerenderedPage(route, facts, url);
    const requests = renderEarlyRequests(earlyRequests(route, facts, built?.requests));
    const shell = replaceHead(html, [renderHead(head, site), requests].filter(Boolean).join('\n    '));
    const loading = built ? shell.replace('</head>', () => `  ${built.head}\n  </head>`) : shell;
    const root = filledRoot(built?.body, renderBody(route, facts));
    const page = root === null ? loading : deferScripts(loading.replace(EMPTY_ROOT, () => root));
    return answer(page, head.status, { ...(isWhole ? CACHED : UNCACHED), 'Content-Type': 'text/html; charset=utf-8' });
  };

  /** What the build has rendered for the page; a page with an id in its address must exist. */
  function prerenderedPage(route: PageRoute, facts: PageFacts | null, url: URL): PrerenderedPage | undefined {
    if (facts?.state === 'shown') return prerendered[route.kind];
    return isPlain(url) ? prerendered[url.pathname] : undefined;
  }

  async function answerSitemap(pathname: string, site: string): Promise<Response> {
    try {
      const xml = await sitemap(pathname, site, call);
      if (xml === null) return answer(NO_FILE, 404, { ...CACHED, ...TEXT });
      return answer(xml, 200, { ...CACHED, 'Content-Type': 'application/xml; charset=utf-8' });
    } catch (error) {
      console.error('The sitemap could not be made:', error);
      return answer('Please come back later.\n', 503, { ...UNCACHED, ...TEXT, 'Retry-After': '300' });
    }
  }

  /** A page's image, which the function preview-image draws; the site's image if there is none. */
  async function answerPreview(pathname: string): Promise<Response> {
    const [, kind, key, preview] = PREVIEW.exec(pathname) ?? [];
    if (kind && key && preview && projectUrl && anonKey) {
      const asked = new URLSearchParams({ kind, key, preview });
      try {
        const drawn = await fetch(`${projectUrl}/functions/v1/preview-image?${asked}`, {
          headers: { apikey: anonKey },
          redirect: 'manual',
          signal: AbortSignal.timeout(DRAWING_MS),
        });
        const caching = drawn.headers.get('cache-control') ?? 'no-store';
        if (drawn.status === 200) {
          const own = { 'Content-Type': 'image/png', 'Cache-Control': caching, 'CDN-Cache-Control': caching };
          return answer(await drawn.arrayBuffer(), 200, own);
        }
      } catch (error) {
        console.error('A picture could not be drawn:', error);
      }
    }
    return answer('', 302, { Location: '/preview.png', 'Cache-Control': 'public, max-age=60' });
  }

  function answer(body: string | ArrayBuffer, status: number, own: Record<string, string>): Response {
    return new Response(body, { status, headers: { ...headers, ...own } });
  }
}

const NO_FILE = 'There is no such file.\n';
const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** Null without a request to make, or if the database does not answer: then the page is served without it, and is not cached. */
async function readFacts(route: PageRoute, call: ProjectCall): Promise<{ facts: PageFacts | null; isWhole: boolean }> {
  const asked = factsOf(route);
  if (asked === null) return { facts: null, isWhole: true };
  try {
    const [facts] = (await call('get_page_facts', { p_kind: asked.kind, p_key: asked.key })) as [PageFacts];
    return { facts, isWhole: true };
  } catch (error) {
    console.error('A page goes out without its facts:', error);
    return { facts: null, isWhole: false };
  }
}

/** The query string changes what a page shows, unless it contains only tracking parameters. */
const isPlain = ({ searchParams }: URL) => [...searchParams.keys()].every((name) => name.startsWith('utm_'));

/** The app's requests for the page's first view. The member side of a quest requests nothing before the identity is known. */
function earlyRequests(route: PageRoute, facts: PageFacts | null, noted: EarlyRequest[] = []): EarlyRequest[] {
  if (route.kind === 'quest' && route.isMembers) return [];
  const id = 'id' in route ? route.id : null;
  const key = route.kind === 'member' ? route.handle.toLowerCase() : id;
  return requestsOf(noted, { key, projectId: facts?.project_id ?? null });
}

/**
 * The root with the page's first content, which the app hydrates if the build has prerendered it and replaces otherwise. Null if the
 * page has none.
 */
function filledRoot(prerendered: string | undefined, body: string): string | null {
  if (prerendered !== undefined) return `<div id="root" data-prerendered>${prerendered}</div>`;
  return body ? `<div id="root">${body}</div>` : null;
}

/** Scripts and preloads of the app and the page, each on a line of the head. */
const SCRIPTS = /[ \t]*(?:<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>)\n/g;

/** Moves them into a template. The inline script of index.html inserts them after the first paint. */
function deferScripts(html: string): string {
  const scripts = html.match(SCRIPTS) ?? [];
  const template = `  <template id="app-scripts">\n${scripts.join('')}    </template>\n  `;
  return html.replace(SCRIPTS, '').replace('</body>', () => `${template}</body>`);
}

/** Inserts `head` literally, without the special patterns of String.replace such as `$&`. */
function replaceHead(html: string, head: string): string {
  const start = html.indexOf(HEAD_START) + HEAD_START.length;
  const end = html.indexOf(HEAD_END);
  return `${html.slice(0, start)}\n    ${head}\n    ${html.slice(end)}`;
}
