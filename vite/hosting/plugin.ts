import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import compression from '@polka/compression';
import type { Plugin, ResolvedConfig } from 'vite';
import { headersFor, netlifyHeaders, netlifyRedirects } from './netlify.ts';
import { type HostRules, hostRules } from './rules.ts';
import { vercelConfig } from './vercel.ts';

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
      const rules = rulesOf(config);
      writeFileSync(outFile('_headers'), netlifyHeaders(rules));
      writeFileSync(outFile('_redirects'), netlifyRedirects(rules));
    },
    // When everything of the build is in its folder, other plugins' files too.
    closeBundle: () => {
      if (!existsSync(outFile('index.html'))) return;
      writeVercelOutput(config, rulesOf(config));
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

const pageOf = ({ root, build }: ResolvedConfig) => resolve(root, build.outDir, 'index.html');
const rulesOf = (config: ResolvedConfig): HostRules => hostRules(config.env, readFileSync(pageOf(config), 'utf8'));

/** Beside the link that `vercel link` keeps in `.vercel`, which is left alone. */
function writeVercelOutput(config: ResolvedConfig, rules: HostRules): void {
  // A build elsewhere than into the checkout's own folder, as tests make it, is not for Vercel.
  if (config.build.outDir !== 'dist') return;
  const output = resolve(config.root, '.vercel/output');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  cpSync(resolve(config.root, 'dist'), join(output, 'static'), { recursive: true });
  writeFileSync(join(output, 'config.json'), vercelConfig(rules));
}
