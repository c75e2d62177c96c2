import type { HostRules } from './rules.ts';

interface Route {
  src?: string;
  dest?: string;
  status?: number;
  headers?: Record<string, string>;
  continue?: boolean;
  handle?: 'filesystem';
}

/**
 * `.vercel/output/config.json` of Vercel's Build Output API, for `vercel deploy --prebuilt`: routes are taken from above, and the link to the
 * project stays in `.vercel/project.json` of the checkout from one release to the next.
 */
export function vercelConfig({ headers, proxies }: HostRules): string {
  const routes: Route[] = [
    ...headers.map(({ path, values }) => ({ src: `^${path.replace(/\*$/, '.*')}$`, headers: values, continue: true })),
    ...proxies.map(({ path, target }) => ({ src: `^${path}$`, dest: target })),
    // Files that exist come first; a file of an old version is not the page.
    { handle: 'filesystem' },
    { src: '^/(assets|api)/.*$', status: 404 },
    { src: '^/.*$', dest: '/index.html' },
  ];
  return `${JSON.stringify({ version: 3, routes }, null, 2)}\n`;
}
