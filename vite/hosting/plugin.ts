import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, join, relative, resolve } from 'node:path';
import compression from '@polka/compression';
import type { Connect, Plugin, ResolvedConfig } from 'vite';
import { readPrerenderedPages } from '../prerendered-pages.ts';
import { bundleSite } from './bundle-site.ts';
import { headersFor, netlifyFunction, netlifyHeaders, netlifyRedirects } from './netlify.ts';
import { type HostRules, hostRules } from './rules.ts';
import { createSite, type SiteOptions } from './site.ts';
import { VERCEL_FUNCTION, vercelConfig, vercelFunctionConfig } from './vercel.ts';

/**
 * Writes what hosts need: headers and rewrites with the origins of this build's environment, and the edge function that serves pages.
 * Vite's own servers serve pages with the same code; `vite preview` also sends the same headers and compresses like the hosts, so that the
 * browser tests and benchmarks run under the same conditions.
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
    // After all other plugins have written their files.
    closeBundle: async () => {
      // A build into another folder, as tests make it, is not for a host.
      if (config.build.outDir !== 'dist' || !existsSync(outFile('index.html'))) return;
      const rules = rulesOf(config);
      const code = await bundleSite(siteOptions(config, rules));
      writeNetlifyFunction(config, code);
      writeVercelOutput(config, rules, code);
    },
    // Both servers serve pages as the hosts do, after all files.
    configureServer: (server) => () => {
      const site = createSite({ ...siteOptions(config), headers: {} });
      const html = async (url: string) =>
        server.transformIndexHtml(url, await readFile(resolve(config.root, 'index.html'), 'utf8'));
      server.middlewares.use(serveSite(async (request) => site(request, await html(request.url))));
    },
    configurePreviewServer: (server) => {
      // Browser tests load the same scripts hundreds of times: here the processor is dearer than bytes.
      server.middlewares.use(compression({ level: 1 }));
      const file = outFile('_headers');
      if (!existsSync(file)) return;
      const headers = readFileSync(file, 'utf8');
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://preview');
        for (const [name, value] of headersFor(headers, pathname)) response.setHeader(name, value);
        next();
      });
      const site = createSite(siteOptions(config, rulesOf(config)));
      return () => server.middlewares.use(serveSite(site));
    },
  };
}

const pageOf = ({ root, build }: ResolvedConfig) => resolve(root, build.outDir, 'index.html');
const rulesOf = (config: ResolvedConfig): HostRules => hostRules(config.env, readFileSync(pageOf(config), 'utf8'));

/** Without rules: for the development server, which has neither a built page nor its headers. */
function siteOptions(config: ResolvedConfig, rules?: HostRules): SiteOptions {
  const { VITE_SITE_URL: siteUrl, VITE_SUPABASE_URL: projectUrl, VITE_SUPABASE_ANON_KEY: anonKey } = config.env;
  return {
    html: rules ? readFileSync(pageOf(config), 'utf8') : '',
    prerendered: rules ? readPrerenderedPages(dirname(pageOf(config))) : {},
    headers: rules?.headers[0]?.values ?? {},
    siteUrl,
    anonKey,
    projectUrl: projectUrl?.replace(/\/+$/, ''),
  };
}

/** Answers requests that no file and no other middleware has answered, as the hosts' edge function does. */
function serveSite(
  answer: (request: { method: string; url: string }) => Promise<Response>,
): Connect.NextHandleFunction {
  return async (request, response, next) => {
    try {
      const path = request.originalUrl ?? '/';
      const url = new URL(path.replace(/^\/+/, '/'), `http://${request.headers.host ?? 'localhost'}`);
      await send(await answer({ method: request.method ?? 'GET', url: url.href }), response);
    } catch (error) {
      next(error);
    }
  };
}

async function send(answered: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answered.status;
  for (const [name, value] of answered.headers) response.setHeader(name, value);
  response.end(Buffer.from(await answered.arrayBuffer()));
}

function writeNetlifyFunction(config: ResolvedConfig, code: string): void {
  const folder = resolve(config.root, '.netlify/v1/edge-functions');
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(resolve(config.root, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) => `/${relative(resolve(config.root, 'dist'), join(entry.parentPath, entry.name)).replaceAll('\\', '/')}`,
    );
  writeFileSync(join(folder, 'site.js'), netlifyFunction(code, files));
}

/** Next to the link that `vercel link` keeps in `.vercel`, which is left alone. */
function writeVercelOutput(config: ResolvedConfig, rules: HostRules, code: string): void {
  const output = resolve(config.root, '.vercel/output');
  const folder = join(output, 'functions', `${VERCEL_FUNCTION}.func`);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(resolve(config.root, 'dist'), join(output, 'static'), { recursive: true });
  writeFileSync(join(output, 'config.json'), vercelConfig(rules));
  writeFileSync(join(folder, 'index.js'), code);
  writeFileSync(join(folder, '.vc-config.json'), vercelFunctionConfig);
}
