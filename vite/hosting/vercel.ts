import type { HostRules } from './rules.ts';

/** `vercel.json` for a deployment of the built folder itself (`vercel deploy dist`). */
export function vercelJson({ headers, proxies }: HostRules): string {
  const config = {
    headers: headers.map(({ path, values }) => ({
      source: path.replace(/\*$/, '(.*)'),
      headers: Object.entries(values).map(([key, value]) => ({ key, value })),
    })),
    rewrites: [
      ...proxies.map(({ path, target }) => ({ source: path, destination: target })),
      // Files that exist come first; a file of an old version is not the page.
      { source: '/((?!assets/|api/).*)', destination: '/index.html' },
    ],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
