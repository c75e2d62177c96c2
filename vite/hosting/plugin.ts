import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import compression from '@polka/compression';
import type { Plugin, ResolvedConfig } from 'vite';
import { headersFor, netlifyHeaders, netlifyRedirects } from './netlify.ts';
import { hostRules } from './rules.ts';
import { vercelJson } from './vercel.ts';

/**
 * Writes what static hosts need into the built folder: headers, rewrites and the fallback to the page, with the origins
 * of this build's environment. `vite preview` sends the same headers and compresses as hosts do, so that the browser
 * tests and benchmarks run under both.
 */
export function hostFiles(): Plugin {
  let config: ResolvedConfig;
  const outFile = (name: string) => resolve(config.root, config.build.outDir, name);
  return {
    name: 'host-files',
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: () => {
      const page = outFile('index.html');
      if (!existsSync(page)) return;
      const rules = hostRules(config.env, readFileSync(page, 'utf8'));
      writeFileSync(outFile('_headers'), netlifyHeaders(rules));
      writeFileSync(outFile('_redirects'), netlifyRedirects(rules));
      writeFileSync(outFile('vercel.json'), vercelJson(rules));
    },
    configurePreviewServer: (server) => {
      server.middlewares.use(compression());
      const file = outFile('_headers');
      if (!existsSync(file)) return;
      const headers = readFileSync(file, 'utf8');
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://preview');
        for (const [name, value] of headersFor(headers, pathname)) response.setHeader(name, value);
        next();
      });
    },
  };
}
