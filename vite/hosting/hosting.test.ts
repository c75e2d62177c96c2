import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResolvedConfig } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PRERENDERED_PAGES_FILE } from '../prerendered-pages.ts';
import { bundleSite } from './bundle-site.ts';
import { headersFor, netlifyFunction, netlifyHeaders, netlifyRedirects } from './netlify.ts';
import { hostFiles } from './plugin.ts';
import { contentSecurityPolicy } from './policy.ts';
import { hostRules } from './rules.ts';
import { HEAD_END, HEAD_START } from './site.ts';
import { vercelConfig } from './vercel.ts';

const script = "document.documentElement.dataset.theme = 'dark';";
const html = `<!doctype html><script>${script}</script><script type="module" src="/assets/a.js"></script>`;
const env = {
  VITE_SUPABASE_URL: 'https://project.supabase.co/',
  VITE_CLERK_PUBLISHABLE_KEY: `pk_live_${btoa('clerk.questboard.example$')}`,
  VITE_ANALYTICS_SRC: 'https://stats.example/script.js',
};

function directives(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  );
}

describe('content security policy', () => {
  it('C-101 names exactly the configured origins, and no inline script but our own', () => {
    const hash = createHash('sha256').update(script).digest('base64');
    const policy = directives(contentSecurityPolicy(env, html));
    expect(policy['script-src']).toEqual([
      "'self'",
      `'sha256-${hash}'`,
      'https://clerk.questboard.example',
      'https://challenges.cloudflare.com',
      'https://*.protect.clerk.com',
      'https://stats.example',
    ]);
    expect(policy['connect-src']).toEqual([
      "'self'",
      'blob:',
      'https://project.supabase.co',
      'https://clerk.questboard.example',
      'https://*.protect.clerk.com:*',
      'https://stats.example',
    ]);
    expect(policy['frame-src']).toEqual(['https://challenges.cloudflare.com', 'https://*.protect.clerk.com']);
    expect(policy['img-src']).toEqual([
      "'self'",
      'data:',
      'blob:',
      'https://project.supabase.co',
      'https://clerk.questboard.example',
      'https://img.clerk.com',
    ]);
    expect(policy['frame-ancestors']).toEqual(["'none'"]);
    expect(policy['object-src']).toEqual(["'none'"]);
  });

  it("C-88 allows the project's own sockets where live updates are on", () => {
    const policy = directives(contentSecurityPolicy({ ...env, VITE_REALTIME: 'on' }, html));
    expect(policy['connect-src']).toContain('wss://project.supabase.co');
  });

  it('allows error reports to the tracker, without the key, and CSP reports to the project', () => {
    const tracked = directives(
      contentSecurityPolicy({ ...env, VITE_SENTRY_DSN: 'https://key@o1.ingest.example/1' }, html),
    );
    expect(tracked['connect-src']).toContain('https://o1.ingest.example');
    expect(directives(contentSecurityPolicy(env, html))['connect-src']).not.toContain('https://o1.ingest.example');
    expect(tracked['report-uri']).toEqual(['https://project.supabase.co/functions/v1/csp-report']);
  });

  it('allows nothing for services that are not configured', () => {
    const policy = directives(contentSecurityPolicy({ VITE_SUPABASE_URL: env.VITE_SUPABASE_URL }, '<html>'));
    expect(policy['script-src']).toEqual(["'self'"]);
    expect(policy['connect-src']).toEqual(["'self'", 'blob:', 'https://project.supabase.co']);
    expect(policy['frame-src']).toEqual(["'none'"]);
  });
});

describe('host files', () => {
  const rules = hostRules(env, html);

  it('Netlify: each path gets its headers, and Cache-Control at most once', () => {
    const file = netlifyHeaders(rules);
    const of = (path: string) => headersFor(file, path);
    expect(Object.fromEntries(of('/browse'))).toEqual(rules.headers[0]?.values);
    const caching = (path: string) => of(path).filter(([name]) => name === 'Cache-Control');
    expect(caching('/')).toEqual([['Cache-Control', 'no-cache']]);
    expect(caching('/index.html')).toEqual([['Cache-Control', 'no-cache']]);
    expect(caching('/service-worker.js')).toEqual([['Cache-Control', 'no-cache']]);
    expect(caching('/assets/a.js')).toEqual([['Cache-Control', 'public, max-age=31536000, immutable']]);
  });

  it('every subdomain is reached only over https', () => {
    expect(rules.headers[0]?.values['Strict-Transport-Security']).toBe('max-age=63072000; includeSubDomains');
  });

  it('Netlify: /api is forwarded to the functions, other paths to the page, missing assets nowhere', () => {
    expect(netlifyRedirects(rules).trim().split('\n')).toEqual([
      '/api/send-email https://project.supabase.co/functions/v1/send-email 200',
      '/api/stripe/create-checkout-session https://project.supabase.co/functions/v1/create-checkout-session 200',
      '/assets/* /index.html 404',
      '/* /index.html 200',
    ]);
  });

  it('forward nothing when no project is configured', () => {
    expect(netlifyRedirects(hostRules({}, html)).trim().split('\n')).toEqual([
      '/assets/* /index.html 404',
      '/* /index.html 200',
    ]);
  });

  it('BEY-17 the edge function is one self-contained module, for every Netlify path that is not a file', async () => {
    const options = {
      html: `<head>${HEAD_START}${HEAD_END}</head>`,
      headers: {},
      siteUrl: 'https://questboard.example',
    };
    const code = netlifyFunction(await bundleSite(options), ['/favicon.svg', '/assets/a.js']);
    expect(code).not.toMatch(/\bimport\b/);
    const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    expect(module.config).toMatchObject({ path: '/*', excludedPath: ['/api/*', '/favicon.svg', '/assets/a.js'] });
    const response: Response = await module.default(new Request('https://elsewhere.example/pricing'));
    expect(await response.text()).toContain('href="https://questboard.example/pricing"');
    expect((await module.default(new Request('https://elsewhere.example/nowhere'))).status).toBe(404);
    const missing: Response = await module.default(new Request('https://elsewhere.example/assets/old.js'));
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-cache']);
  });

  it('Vercel has the same rules', () => {
    type Route = { src?: string; dest?: string; status?: number; handle?: string; headers?: Record<string, string> };
    const { version, routes } = JSON.parse(vercelConfig(rules)) as { version: number; routes: Route[] };
    expect(version).toBe(3);
    const beforeFiles = routes.findIndex(({ handle }) => handle === 'filesystem');
    const matching = (path: string, among: Route[]) => among.filter(({ src }) => src && new RegExp(src).test(path));
    for (const path of ['/', '/index.html', '/service-worker.js', '/browse', '/assets/a.js', '/favicon.svg']) {
      const sent = matching(path, routes.slice(0, beforeFiles)).flatMap(({ headers }) => Object.entries(headers ?? {}));
      expect(sent, path).toEqual(headersFor(netlifyHeaders(rules), path));
    }
    const answer = (path: string, among: Route[]) => {
      const [first] = matching(path, among).filter(({ dest, status }) => dest ?? status);
      return first && (first.dest ?? first.status);
    };
    const [early, late] = [routes.slice(0, beforeFiles), routes.slice(beforeFiles + 1)];
    expect(answer('/api/send-email', early)).toBe('https://project.supabase.co/functions/v1/send-email');
    expect(answer('/', early)).toBe('/_site');
    expect(answer('/browse', early)).toBeUndefined();
    expect(['/browse', '/sitemap.xml', '/assets/old.js', '/api/nothing'].map((path) => answer(path, late))).toEqual([
      '/_site',
      '/_site',
      404,
      404,
    ]);
    // Headers of later routes replace those of earlier ones.
    expect(matching('/assets/old.js', late)[0]?.headers).toEqual({ 'Cache-Control': 'no-store' });
  });

  it('Vercel: each build replaces its output and keeps the link to the project, so that the next release needs no input', async () => {
    const root = mkdtempSync(join(tmpdir(), 'questboard-vercel-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const link = join(root, '.vercel/project.json');
    mkdirSync(join(root, '.vercel'));
    writeFileSync(link, '{"projectId":"prj_1","orgId":"team_1"}');
    const release = async (asset: string) => {
      rmSync(join(root, 'dist'), { recursive: true, force: true });
      mkdirSync(join(root, 'dist'));
      writeFileSync(join(root, 'dist/index.html'), html);
      mkdirSync(join(root, 'dist/.vite'));
      writeFileSync(join(root, 'dist', PRERENDERED_PAGES_FILE), '{}');
      writeFileSync(join(root, 'dist', asset), '');
      const plugin = hostFiles() as {
        [Hook in 'configResolved' | 'closeBundle']: (config?: ResolvedConfig) => unknown;
      };
      await plugin.configResolved({ root, build: { outDir: 'dist' }, env } as unknown as ResolvedConfig);
      await plugin.closeBundle();
    };
    const output = (name: string) => join(root, '.vercel/output', name);
    await release('first.js');
    await release('second.js');
    expect(readFileSync(link, 'utf8')).toContain('prj_1');
    expect(
      ['config.json', 'functions/_site.func/index.js', 'static/second.js'].map((name) => existsSync(output(name))),
    ).toEqual([true, true, true]);
    expect(existsSync(output('static/first.js'))).toBe(false);
    expect(existsSync(join(root, 'dist/.vercel'))).toBe(false);
  });
});
