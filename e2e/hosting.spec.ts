import type { Page } from '@playwright/test';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { z } from 'zod';
import { listen } from '../local/process/listen.ts';
import { probeFreePort } from '../local/process/ports.ts';
import { testEnv } from '../local/testing/clients.ts';
import { expect, test } from './fixtures.ts';

/** What the page's policy has refused so far. */
async function refusals(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const blocked: string[] = [];
    Object.assign(globalThis, { blocked });
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      blocked.push(`${effectiveDirective} ${blockedURI}`),
    );
  });
  return () => page.evaluate(() => Reflect.get(globalThis, 'blocked'));
}

const vercelRules = z.object({
  headers: z.array(
    z.object({ source: z.string(), headers: z.array(z.object({ key: z.string(), value: z.string() })) }),
  ),
});

interface Site {
  url: string;
  stop(): Promise<void>;
}

/** `npm test` serves the build with the headers of `_headers`, which Netlify and Cloudflare Pages read. */
async function serveAsNetlify(): Promise<Site> {
  return { url: testEnv().APP_URL, stop: async () => undefined };
}

/** The same build on a port of its own, each answer with the headers of vercel.json in place of those of `_headers`. */
async function serveAsVercel(): Promise<Site> {
  const { APP_URL } = testEnv();
  const rules = vercelRules.parse(await (await fetch(`${APP_URL}/vercel.json`)).json()).headers;
  const app = new Hono();
  app.all('*', async (context) => {
    const { pathname, search } = new URL(context.req.url);
    const answer = await proxy(`${APP_URL}${pathname}${search}`, { raw: context.req.raw, redirect: 'manual' });
    const headers = new Headers(answer.headers);
    for (const { key } of rules.flatMap((rule) => rule.headers)) headers.delete(key);
    for (const rule of rules.filter(({ source }) => new RegExp(`^${source}$`).test(pathname))) {
      for (const { key, value } of rule.headers) headers.set(key, value);
    }
    return new Response(answer.body, { status: answer.status, headers });
  });
  const port = await probeFreePort();
  return { url: `http://127.0.0.1:${port}`, stop: await listen(app, port) };
}

const HOSTS = { Netlify: serveAsNetlify, Vercel: serveAsVercel };

test.describe('static hosting', () => {
  test('sends the security headers with every page', async ({ request }) => {
    for (const path of ['/', '/browse', '/favicon.svg']) {
      const headers = (await request.get(path)).headers();
      expect(headers['content-security-policy'], path).toContain("script-src 'self' 'sha256-");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(/script-src[^;]*unsafe-/.test(headers['content-security-policy'] ?? '')).toBe(false);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'strict-transport-security': expect.stringContaining('max-age='),
        'permissions-policy': expect.stringContaining('camera=()'),
      });
    }
  });

  test('lets browsers keep hashed files for good, and ask for the page each time', async ({ request }) => {
    const page = await request.get('/');
    expect(page.headers()['cache-control']).toBe('no-cache');
    const [script] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    const asset = await request.get(script ?? '');
    expect(asset.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('leads /api to the functions and unknown paths to the page', async ({ request }) => {
    for (const [path, name] of [
      ['/api/send-email', 'send-email'],
      ['/api/stripe/create-checkout-session', 'create-checkout-session'],
    ] as const) {
      expect(await (await request.get(path)).json()).toEqual({ ok: true, function: name });
    }
    expect(await (await request.get('/community/quest/any')).text()).toContain('<div id="root">');
  });
});

for (const [host, serve] of Object.entries(HOSTS)) {
  test.describe(`the page as ${host} sends it`, () => {
    let site: Site;
    test.beforeAll(async () => {
      site = await serve();
    });
    test.afterAll(() => site.stop());

    test('blocks nothing that the home page and sign-in need', async ({ page }) => {
      const blocked = await refusals(page);
      await page.goto(site.url);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('contentinfo')).toBeVisible();
      expect(await blocked()).toEqual([]);
      await page.goto(`${site.url}/auth/signin`);
      // The provider's own form: its script, styles and calls all went through.
      await expect(page.getByLabel(/email address/i)).toBeVisible();
      expect(await blocked()).toEqual([]);
    });

    test('remembers a chosen theme before the first paint: the one inline script of ours runs', async ({ page }) => {
      await page.addInitScript(() => localStorage.setItem('questboard.theme', 'dark'));
      await page.goto(site.url);
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    });

    test.describe('an inline script that somebody slipped in', () => {
      test.use({ expectedErrors: [/Content Security Policy/] });

      test('is refused, and so are handlers in attributes and scripts of other hosts', async ({ page }) => {
        const blocked = await refusals(page);
        await page.goto(site.url);
        await page.evaluate(() => {
          const inline = document.createElement('script');
          inline.textContent = 'globalThis.slippedIn = true';
          const foreign = document.createElement('script');
          foreign.src = 'https://evil.example/x.js';
          const image = document.createElement('div');
          image.innerHTML = '<img src="data:," onerror="globalThis.slippedIn = true">';
          document.body.append(inline, foreign, image);
        });
        await expect
          .poll(blocked)
          .toEqual(
            expect.arrayContaining([
              'script-src-elem inline',
              'script-src-attr inline',
              'script-src-elem https://evil.example/x.js',
            ]),
          );
        expect(await page.evaluate(() => 'slippedIn' in globalThis)).toBe(false);
      });
    });
  });
}
