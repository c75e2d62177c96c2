import type { HostRules } from './rules.ts';

/** `_headers` of Netlify and Cloudflare Pages. */
export function netlifyHeaders({ headers }: HostRules): string {
  return headers
    .map(({ path, values }) => {
      const lines = Object.entries(values).map(([name, value]) => `  ${name}: ${value}\n`);
      return `${path}\n${lines.join('')}`;
    })
    .join('\n');
}

/** `_redirects` of Netlify. Files that exist come before the last two lines; a file of an old version is not the page. */
export function netlifyRedirects({ proxies }: HostRules): string {
  const rewrites = proxies.map(({ path, target }) => `${path} ${target} 200\n`);
  return `${rewrites.join('')}/assets/* /index.html 404\n/* /index.html 200\n`;
}

/**
 * `.netlify/v1/edge-functions/site.js`, where Netlify looks after a build: the bundled function, for every path that is no file.
 * `files`: the paths of the built files.
 */
export function netlifyFunction(code: string, files: string[]): string {
  const excludedPath = ['/assets/*', '/api/*', ...files.filter((path) => !path.startsWith('/assets/'))];
  return `${code}\nexport const config = ${JSON.stringify({ path: '/*', excludedPath, cache: 'manual' })};\n`;
}

/** Reads `_headers` back, for the preview server: the headers of a path, of all rules that match it. */
export function headersFor(file: string, path: string): [string, string][] {
  const rules = file.split(/\n(?=\/)/);
  return rules.flatMap((rule) => {
    const [pattern = '', ...lines] = rule.trim().split('\n');
    const matches = pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
    return matches ? lines.map((line): [string, string] => splitHeader(line.trim())) : [];
  });
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}
