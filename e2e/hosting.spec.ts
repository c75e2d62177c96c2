import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** What the page's policy has blocked so far. */
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

test.describe('static hosting', () => {
  test('sends the security headers, lets browsers cache hashed files, and forwards /api to the functions', async ({
    request,
  }) => {
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

    // Browsers cache hashed files permanently, and revalidate the page each time.
    const page = await request.get('/');
    expect(page.headers()['cache-control']).toBe('no-cache');
    const [script] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    const asset = await request.get(script ?? '');
    expect(asset.headers()['cache-control']).toBe('public, max-age=31536000, immutable');

    // /api paths are forwarded to the functions; unknown paths get the page.
    for (const [path, name] of [
      ['/api/send-email', 'send-email'],
      ['/api/stripe/create-checkout-session', 'create-checkout-session'],
    ] as const) {
      expect(await (await request.get(path)).json()).toMatchObject({ ok: true, function: name });
    }
    expect(await (await request.get('/community/quest/any')).text()).toContain('<div id="root">');
  });

  test('blocks nothing that the home page and sign-in need; our one inline script applies the stored theme before the first paint', async ({
    page,
  }) => {
    const blocked = await refusals(page);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('contentinfo')).toBeVisible();
    expect(await blocked()).toEqual([]);
    await page.goto('/auth/signin');
    // The provider's own form: its script, styles and calls all passed.
    await expect(page.getByLabel(/email address/i)).toBeVisible();
    expect(await blocked()).toEqual([]);
    await page.evaluate(() => localStorage.setItem('questboard.theme', 'dark'));
    // The app has not run, so only the inline script can have set it.
    await page.route(/\/assets\/.*\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });

  test.describe('an injected inline script', () => {
    test.use({ expectedErrors: [/Content Security Policy/] });

    test('is blocked, as are handlers in attributes and scripts from other hosts', async ({ page }) => {
      const blocked = await refusals(page);
      await page.goto('/');
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
