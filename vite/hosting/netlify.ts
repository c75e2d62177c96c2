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

/**
 * `_redirects` of Netlify. Existing files take precedence over the last two lines; a missing file of an old version must not be answered
 * with the page.
 */
export function netlifyRedirects({ proxies }: HostRules): string {
  const rewrites = proxies.map(({ path, target }) => `${path} ${target} 200\n`);
  return `${rewrites.join('')}/assets/* /index.html 404\n/* /index.html 200\n`;
}

/**
 * `.netlify/v1/edge-functions/site.js`, which Netlify picks up after a build: the bundled function, for every path that is not a file.
 * `files`: the paths of the built files. Assets are named one by one too: Netlify sends the headers of a path with its 404 as well, so a
 * browser would keep a missing file as missing for a year.
 */
export function netlifyFunction(code: string, files: string[]): string {
  const excludedPath = ['/api/*', ...files];
  return `${code}\nexport const config = ${JSON.stringify({ path: '/*', excludedPath, cache: 'manual' })};\n`;
}

/** Parses `_headers` for the preview server: the headers of a path, from all rules that match it. */
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
