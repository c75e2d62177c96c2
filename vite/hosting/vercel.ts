import type { HostRules } from './rules.ts';

interface Route {
  src?: string;
  dest?: string;
  status?: number;
  headers?: Record<string, string>;
  continue?: boolean;
  handle?: 'filesystem';
}

/** Path of the edge function below `.vercel/output/functions`, followed by `.func`. */
export const VERCEL_FUNCTION = '/_site';

/** Its settings: an edge function is one module whose default export answers requests. */
export const vercelFunctionConfig = JSON.stringify({ runtime: 'edge', entrypoint: 'index.js' });

/**
 * `.vercel/output/config.json` of Vercel's Build Output API, for `vercel deploy --prebuilt`: routes match from top to bottom, and the link
 * to the project remains in the checkout's `.vercel/project.json` between releases.
 */
export function vercelConfig({ headers, proxies }: HostRules): string {
  const routes: Route[] = [
    ...headers.map(({ path, values }) => ({ src: `^${path.replace(/\*$/, '.*')}$`, headers: values, continue: true })),
    ...proxies.map(({ path, target }) => ({ src: `^${path}$`, dest: target })),
    // An address with an invitation is home as well, but with another head than the file's.
    { src: '^/$', dest: VERCEL_FUNCTION },
    // Existing files come first; a missing file of an old version must not be answered with the page. Nor may a browser keep that answer
    // for the year of the first rule: after a step back to that version the file is there again.
    { handle: 'filesystem' },
    { src: '^/(assets|api)/.*$', status: 404, headers: { 'Cache-Control': 'no-store' } },
    { src: '^/.*$', dest: VERCEL_FUNCTION },
  ];
  return `${JSON.stringify({ version: 3, routes }, null, 2)}\n`;
}
