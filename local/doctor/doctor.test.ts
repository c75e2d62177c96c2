import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CLERK_WEBHOOK_SECRET, STRIPE_WEBHOOK_SECRET } from '../constants.ts';
import { closeSql, newPersona, sql, testEnv, tokenFor } from '../testing/clients.ts';
import { compare } from './checks/database.ts';
import { examine } from './examine.ts';
import { expectedDatabase } from './expected-database.ts';
import { expectedEvents } from './expected-events.ts';
import type { Finding } from './finding.ts';

afterAll(closeSql);

const env = testEnv();
const OUR_ENDPOINT = `${env.SUPABASE_URL}/functions/v1/stripe-webhook`;

/** Serves an app until the test, or the file, is over. */
async function serveApp(build: (app: Hono) => void): Promise<{ url: string; close: () => void }> {
  const app = new Hono();
  build(app);
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** Stripe's list of webhook endpoints; the emulator has none. */
const serveStripe = (endpoint: object | null, key = 'sk_test_local') =>
  serveApp((app) =>
    app.get('/v1/webhook_endpoints', (context) =>
      context.req.header('authorization') === `Bearer ${key}`
        ? context.json({
            object: 'list',
            data: endpoint ? [{ url: OUR_ENDPOINT, status: 'enabled', ...endpoint }] : [],
          })
        : context.json({ error: {} }, 401),
    ),
  );

let stripe: Awaited<ReturnType<typeof serveStripe>>;
beforeAll(async () => {
  stripe = await serveStripe({ enabled_events: expectedEvents() });
});
afterAll(() => stripe.close());

/** The configuration of the stack under test, as a deployment would write it down. */
async function rightConfiguration() {
  return {
    VITE_SUPABASE_URL: env.SUPABASE_URL,
    VITE_SUPABASE_ANON_KEY: env.SUPABASE_ANON_KEY,
    VITE_CLERK_PUBLISHABLE_KEY: env.CLERK_PUBLISHABLE_KEY,
    SITE_URL: env.APP_URL,
    CLERK_ISSUER: env.IDENTITY_ISSUER,
    CLERK_JWKS_URL: `${env.IDENTITY_URL}/.well-known/jwks.json`,
    CLERK_WEBHOOK_SECRET,
    RESEND_API_KEY: 're_local',
    MAIL_FROM: 'Questboard <no-reply@questboard.local>',
    STRIPE_SECRET_KEY: 'sk_test_local',
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    SUPABASE_SECRET_KEY: env.SUPABASE_SECRET_KEY,
    DOCTOR_SESSION_TOKEN: await tokenFor(newPersona('doctor')),
  };
}

const problems = (findings: Finding[]) => findings.filter(({ state }) => state === 'problem');
const examineWith = async (changes: Record<string, string | undefined>) =>
  problems(await examine({ ...(await rightConfiguration()), ...changes }));

it('finds nothing wrong with a configuration that is right', async () => {
  // What waits in the outbox of a test stack is nobody's fault.
  await sql().query('update public.outbox_events set processed_at = now() where processed_at is null');
  const findings = await examine(await rightConfiguration());
  expect(problems(findings)).toEqual([]);
  expect(findings.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      'API',
      'Visitors',
      'Migrations',
      'Policies',
      'Bucket proofs',
      'Token issuer',
      'Client address',
      'Session token',
      'Claims',
    ]),
  );
  expect(findings.filter(({ state }) => state === 'skipped').map(({ subject }) => subject)).toEqual(['Site']);
});

it('skips what it has no keys for, and says which', async () => {
  const findings = await examine({
    ...(await rightConfiguration()),
    SUPABASE_SECRET_KEY: undefined,
    DOCTOR_SESSION_TOKEN: undefined,
  });
  expect(problems(findings)).toEqual([]);
  expect(findings.filter(({ state }) => state === 'skipped').map(({ subject }) => subject)).toEqual([
    'Database',
    'Session token',
    'Site',
  ]);
});

it('names every variable that is missing or malformed, and shows no value', async () => {
  const findings = await examine({ STRIPE_SECRET_KEY: 'pk_wrong', VITE_SUPABASE_URL: 'example.com' });
  expect(findings.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['VITE_SUPABASE_URL', 'VITE_SUPABASE_ANON_KEY', 'STRIPE_SECRET_KEY', 'CLERK_ISSUER']),
  );
  expect(JSON.stringify(findings)).not.toContain('pk_wrong');
});

it('after the first step of deploy.md looks at the database already, and names what is still to come', async () => {
  await sql().query('update public.outbox_events set processed_at = now() where processed_at is null');
  const { VITE_SUPABASE_URL, VITE_SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY } = await rightConfiguration();
  const findings = await examine({ VITE_SUPABASE_URL, VITE_SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY });
  const fine = findings.filter(({ state }) => state === 'fine').map(({ subject }) => subject);
  expect(fine).toEqual(expect.arrayContaining(['API', 'Visitors', 'Migrations', 'Policies', 'Bucket proofs']));
  expect(problems(findings).map(({ subject }) => subject)).toEqual([
    'VITE_CLERK_PUBLISHABLE_KEY',
    'SITE_URL',
    'CLERK_ISSUER',
    'CLERK_WEBHOOK_SECRET',
    'RESEND_API_KEY',
    'MAIL_FROM',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ]);
});

describe.each([
  ['an address where nobody is', { VITE_SUPABASE_URL: 'http://127.0.0.1:1' }, 'VITE_SUPABASE_URL'],
  ['a wrong publishable key', { VITE_SUPABASE_ANON_KEY: 'sb_publishable_other' }, 'VITE_SUPABASE_ANON_KEY'],
  ['the secret key in the app', { VITE_SUPABASE_ANON_KEY: env.SUPABASE_SECRET_KEY }, 'VITE_SUPABASE_ANON_KEY'],
  ['a wrong secret key', { SUPABASE_SECRET_KEY: 'sb_secret_other' }, 'SUPABASE_SECRET_KEY'],
  ['an issuer that is not of the key', { CLERK_ISSUER: 'https://other.clerk.accounts.dev' }, 'CLERK_ISSUER'],
  ['a Clerk host that is not of the key', { CLERK_DOMAIN: 'clerk.other.example' }, 'CLERK_DOMAIN'],
  ['keys that are nowhere', { CLERK_JWKS_URL: `${env.IDENTITY_URL}/nothing` }, 'CLERK_ISSUER'],
  ['no token at all', { DOCTOR_SESSION_TOKEN: 'abc' }, 'DOCTOR_SESSION_TOKEN'],
  ['another Stripe secret', { STRIPE_WEBHOOK_SECRET: 'whsec_other' }, 'STRIPE_WEBHOOK_SECRET'],
  ['another Clerk secret', { CLERK_WEBHOOK_SECRET: `whsec_${btoa('other')}` }, 'CLERK_WEBHOOK_SECRET'],
  ['a site that may not call', { SITE_URL: 'https://other.example.com' }, 'Origin'],
  ['a site where nobody is', { VITE_SITE_URL: 'http://127.0.0.1:1', SITE_URL: 'http://127.0.0.1:1' }, 'Site'],
])('with %s', (_what, changes, subject) => {
  it(`complains about ${subject}`, async () => {
    expect((await examineWith(changes)).map((finding) => finding.subject)).toContain(subject);
  });
});

describe('with a session token', () => {
  const examineToken = async (options: Parameters<typeof tokenFor>[1]) =>
    (await examineWith({ DOCTOR_SESSION_TOKEN: await tokenFor(newPersona(), options) })).map(({ subject }) => subject);

  it('that has expired, asks for a new one', async () => {
    expect(await examineToken({ ttlSeconds: -60 })).toEqual(['DOCTOR_SESSION_TOKEN']);
  });

  it('without the role, says that the database refuses it and why', async () => {
    expect(await examineToken({ claims: { role: undefined } })).toEqual(['Session token', 'Role']);
  });

  it('without the claims, names them', async () => {
    expect(await examineToken({ claims: { email_verified: undefined } })).toEqual(['Claims']);
  });
});

describe('with a database', () => {
  const expected = { ...expectedDatabase(), issuer: `${env.IDENTITY_ISSUER}/` };
  const right = {
    migrations: expected.migrations,
    policies: expected.policies,
    tables_without_rls: [],
    buckets: expected.buckets.map(({ id, isPublic, limit }) => ({ id, public: isPublic, file_size_limit: limit })),
    has_owner_email: true,
    token_issuer: env.IDENTITY_ISSUER,
    sees_client_address: true,
    outbox_waiting_seconds: null,
  };

  // TRUST-29, TRUST-24: what only the installation can set is looked at as well.
  it.each([
    ['without the last migration', { migrations: expected.migrations.slice(0, -1) }, 'Migrations'],
    ['without a policy', { policies: expected.policies.slice(1) }, 'Policies'],
    ['with a foreign policy', { policies: [...expected.policies, 'public.wallets.anyone'] }, 'Policies'],
    ['with an open table', { tables_without_rls: ['wallets'] }, 'Policies'],
    ['without a bucket', { buckets: right.buckets.filter(({ id }) => id !== 'proofs') }, 'Bucket proofs'],
    ['with open proofs', { buckets: right.buckets.map((bucket) => ({ ...bucket, public: true })) }, 'Bucket proofs'],
    ['without an owner', { has_owner_email: false }, 'Owner'],
    ['that believes every issuer', { token_issuer: null }, 'Token issuer'],
    ['that believes another issuer', { token_issuer: 'https://clerk.other.example' }, 'Token issuer'],
    ['that sees no addresses', { sees_client_address: false }, 'Client address'],
    ['whose events nobody fetches', { outbox_waiting_seconds: 3_600 }, 'Outbox'],
  ])('%s, says so', (_what, changes, subject) => {
    expect(problems(compare(right, expected))).toEqual([]);
    expect(problems(compare({ ...right, ...changes }, expected)).map((finding) => finding.subject)).toEqual([subject]);
  });
});

describe('with Stripe', () => {
  const all = expectedEvents();

  it.each([
    ['no endpoint', null, 'Payment events', 'no endpoint of Stripe leads to'],
    ['an endpoint of another project', { url: 'https://other.example' }, 'Payment events', 'no endpoint'],
    ['a disabled endpoint', { status: 'disabled', enabled_events: all }, 'Payment events', 'no endpoint'],
    ['too few events', { enabled_events: all.slice(1) }, 'Payment events', `does not send ${all[0]}`],
  ])('%s is found out', async (_what, endpoint, subject, detail) => {
    const other = await serveStripe(endpoint && { enabled_events: [], ...endpoint });
    onTestFinished(other.close);
    const [found, ...more] = await examineWith({ STRIPE_API_URL: other.url });
    expect(found).toMatchObject({ subject, detail: expect.stringContaining(detail) });
    expect(more).toEqual([]);
  });

  it('an endpoint for all events is as good', async () => {
    const other = await serveStripe({ enabled_events: ['*'] });
    onTestFinished(other.close);
    expect(await examineWith({ STRIPE_API_URL: other.url })).toEqual([]);
  });

  it('a key that is refused is named, and one that may not look is none of our business', async () => {
    const other = await serveStripe({ enabled_events: all }, 'sk_test_other');
    onTestFinished(other.close);
    expect((await examineWith({ STRIPE_API_URL: other.url })).map(({ subject }) => subject)).toEqual([
      'STRIPE_SECRET_KEY',
    ]);
    const findings = await examine({ ...(await rightConfiguration()), STRIPE_API_URL: `${other.url}/nothing` });
    expect(findings.find(({ subject }) => subject === 'Payment events')?.state).toBe('skipped');
  });
});

describe('with a site', () => {
  async function siteThat(build: (app: Hono) => void): Promise<string> {
    const { url, close } = await serveApp(build);
    onTestFinished(close);
    return url;
  }
  const page = (app: Hono, policy: string) =>
    app.get('*', (context) => context.html('<html>', 200, { 'content-security-policy': policy }));
  const examineSite = async (url: string) =>
    (await examineWith({ VITE_SITE_URL: url, SITE_URL: url })).map(({ subject }) => subject);

  it('that is right, has only to be allowed to call', async () => {
    const url = await siteThat((app) => {
      app.get('/api/*', (context) => proxy(`${env.SUPABASE_URL}${context.req.path}`));
      page(app, "default-src 'self'; script-src 'self'");
    });
    expect(await examineSite(url)).toEqual(['Origin']);
  });

  it('without headers and rewrites, names both', async () => {
    const url = await siteThat((app) => page(app, ''));
    expect(await examineSite(url)).toEqual(['Origin', 'Headers', 'Rewrites']);
  });
});
