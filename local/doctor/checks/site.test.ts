import type { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentSecurityPolicy } from '../../../vite/hosting/policy.ts';
import { testEnv } from '../../testing/clients.ts';
import { examineWith, rightConfiguration, serveApp, setUpDeployment } from '../../testing/deployment.ts';

const env = testEnv();
setUpDeployment();

describe('with a site', () => {
  async function siteThat(build: (app: Hono) => void): Promise<string> {
    const { url, close } = await serveApp(build);
    onTestFinished(close);
    return url;
  }
  const page = (app: Hono, policy: string) =>
    app.get('*', (context) => context.html('<html>', 200, { 'content-security-policy': policy }));
  const rightSite = (sent: string) =>
    siteThat((app) => {
      app.get('/api/*', (context) => proxy(`${env.SUPABASE_URL}${context.req.path}`));
      app.get('/quest/*', (context) => context.html('<html>', 404));
      page(app, sent);
    });
  const policy = async () => contentSecurityPolicy(await rightConfiguration(), '<html>');
  const examineSite = async (url: string) =>
    (await examineWith({ VITE_SITE_URL: url, SITE_URL: url })).map(({ subject }) => subject);

  it('reports nothing about a correct site except that its origin must be allowed to call', async () => {
    expect(await examineSite(await rightSite(await policy()))).toEqual(['Origin']);
  });

  it('reports the headers when the policy belongs to another configuration', async () => {
    const older = (await policy()).replaceAll('https://*.protect.clerk.com', '');
    expect(await examineSite(await rightSite(older))).toEqual(['Origin', 'Headers']);
    const wider = (await policy()).replace("script-src 'self'", "script-src 'self' https://elsewhere.example");
    expect(await examineSite(await rightSite(wider))).toEqual(['Origin', 'Headers']);
  });

  it('BEY-17 reports missing headers, rewrites and edge function', async () => {
    const url = await siteThat((app) => page(app, ''));
    expect(await examineSite(url)).toEqual(['Origin', 'Headers', 'Pages', 'Rewrites']);
  });
});
