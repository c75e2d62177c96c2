import type { HostRules } from './rules.ts';

interface Route {
  src?: string;
  dest?: string;
  status?: number;
  headers?: Record<string, string>;
  continue?: boolean;
  handle?: 'filesystem';
}

/** Where the edge function is, below `.vercel/output/functions` with `.func` behind it. */
export const VERCEL_FUNCTION = '/_site';

/** Its settings: an edge function is one module whose default export answers requests. */
export const vercelFunctionConfig = JSON.stringify({ runtime: 'edge', entrypoint: 'index.js' });

/**
 * `.vercel/output/config.json` of Vercel's Build Output API, for `vercel deploy --prebuilt`: routes are taken from above, and the link to the
 * project stays in `.vercel/project.json` of the checkout from one release to the next.
 */
export function vercelConfig({ headers, proxies }: HostRules): string {
  const routes: Route[] = [
    ...headers.map(({ path, values }) => ({ src: `^${path.replace(/\*$/, '.*')}$`, headers: values, continue: true })),
    ...proxies.map(({ path, target }) => ({ src: `^${path}$`, dest: target })),
    // An address with an invitation is home, too, with another head than the file's.
    { src: '^/$', dest: VERCEL_FUNCTION },
    // Files that exist come first; a file of an old version is not the page.
    { handle: 'filesystem' },
    { src: '^/(assets|api)/.*$', status: 404 },
    { src: '^/.*$', dest: VERCEL_FUNCTION },
  ];
  return `${JSON.stringify({ version: 3, routes }, null, 2)}\n`;
}
