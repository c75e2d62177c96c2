import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { contentSecurityPolicy } from '../../vite/hosting/policy.ts';
import { summarize } from '../commands/doctor.ts';
import { CLERK_WEBHOOK_SECRET, STRIPE_WEBHOOK_SECRET } from '../constants.ts';
import { functionsRelease, stampedCopy, UNSTAMPED } from '../functions/release.ts';
import { closeSql, newPersona, sql, testEnv, tokenFor } from '../testing/clients.ts';
import { compare } from './checks/database.ts';
import { compareRelease } from './checks/functions.ts';
import { examine } from './examine.ts';
import { expectedEvents } from './expected-events.ts';
import { expectedReport, type Report } from './expected-report.ts';
import { type Finding, fine, problem, skipped, warning } from './finding.ts';

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

/** Resend's list of domains; the emulator has none. */
const serveResend = (answer: object, status: 200 | 401 | 403 = 200) =>
  serveApp((app) => app.get('/domains', (context) => context.json(answer, status)));

const WORKERS = ['deliver-events', 'import-logos', 'remove-orphans', 'self-check'];

let stripe: Awaited<ReturnType<typeof serveStripe>>;
let resend: Awaited<ReturnType<typeof serveResend>>;
beforeAll(async () => {
  stripe = await serveStripe({ enabled_events: expectedEvents() });
  resend = await serveResend({ data: [{ name: 'questboard.local', status: 'verified' }] });
  for (const name of WORKERS) {
    const headers = { authorization: `Bearer ${env.CRON_SECRET}` };
    await fetch(`${env.SUPABASE_URL}/functions/v1/${name}`, { method: 'POST', headers });
  }
  // What waits in the outbox of a test stack is nobody's fault.
  await sql().query(
    'update public.outbox_events set processed_at = now(), failed_at = null where processed_at is null',
  );
});
afterAll(() => {
  stripe.close();
  resend.close();
});

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
    CRON_SECRET: env.CRON_SECRET,
    RESEND_API_KEY: 're_local',
    RESEND_API_URL: resend.url,
    MAIL_FROM: 'Questboard <no-reply@questboard.local>',
    STRIPE_SECRET_KEY: 'sk_test_local',
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    SUPABASE_SECRET_KEY: env.SUPABASE_SECRET_KEY,
    DOCTOR_SESSION_TOKEN: await tokenFor(newPersona('doctor')),
  };
}

/** Whether the functions of a stack are those of the checkout shows only on a deployment. */
const unseen = (findings: Finding[]) =>
  findings.flatMap(({ state, subject }) => (state === 'skipped' && !subject.startsWith('Function ') ? [subject] : []));

const problems = (findings: Finding[]) => findings.filter(({ state }) => state === 'problem');
const examineWith = async (changes: Record<string, string | undefined>) =>
  problems(await examine({ ...(await rightConfiguration()), ...changes }));

it('finds nothing wrong with a configuration that is right', async () => {
  const findings = await examine(await rightConfiguration());
  expect(problems(findings)).toEqual([]);
  expect(findings.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      'API',
      'Visitors',
      'Exposed schemas',
      'Sign-ups',
      'Migrations',
      'Policies',
      'Schema',
      'Bucket proofs',
      'Bucket site',
      'Row ceiling',
      ...WORKERS.map((name) => `Schedule ${name}`),
      'Outbox',
      'Mail sender',
      'Payment events',
      'Token issuer',
      'Client address',
      'Session token',
      'Claims',
    ]),
  );
  expect(unseen(findings)).toEqual(['Site']);
  expect(findings.filter(({ state }) => state === 'warning')).toEqual([]);
});

it('skips what it has no keys for, and says which', async () => {
  const findings = await examine({
    ...(await rightConfiguration()),
    SUPABASE_SECRET_KEY: undefined,
    DOCTOR_SESSION_TOKEN: undefined,
  });
  expect(problems(findings)).toEqual([]);
  expect(unseen(findings)).toEqual(['Database', 'Session token', 'Site']);
});

it('names every variable that is missing or malformed, and shows no value', async () => {
  const findings = await examine({ STRIPE_SECRET_KEY: 'pk_wrong', VITE_SUPABASE_URL: 'example.com' });
  expect(findings.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['VITE_SUPABASE_URL', 'VITE_SUPABASE_ANON_KEY', 'STRIPE_SECRET_KEY', 'CLERK_ISSUER']),
  );
  expect(JSON.stringify(findings)).not.toContain('pk_wrong');
});

it('after the first step of deploy.md looks at the database already, and names what is still to come', async () => {
  const { VITE_SUPABASE_URL, VITE_SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY } = await rightConfiguration();
  const findings = await examine({ VITE_SUPABASE_URL, VITE_SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY });
  const fine = findings.filter(({ state }) => state === 'fine').map(({ subject }) => subject);
  expect(fine).toEqual(
    expect.arrayContaining(['API', 'Visitors', 'Migrations', 'Policies', 'Schema', 'Bucket proofs']),
  );
  expect(problems(findings).map(({ subject }) => subject)).toEqual([
    'VITE_CLERK_PUBLISHABLE_KEY',
    'SITE_URL',
    'CLERK_ISSUER',
    'CLERK_WEBHOOK_SECRET',
    'CRON_SECRET',
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
  [
    'Clerk in live mode and Stripe in test mode',
    { VITE_CLERK_PUBLISHABLE_KEY: `pk_live_${btoa('clerk.local$')}` },
    'Keys',
  ],
  [
    'the same, and nothing else there yet',
    { VITE_CLERK_PUBLISHABLE_KEY: `pk_live_${btoa('clerk.local$')}`, SITE_URL: undefined },
    'Keys',
  ],
  ['the address of the demo project', { DEMO_PROJECT_URL: 'http://127.0.0.1:1' }, 'DEMO_PROJECT_URL'],
  ['a short secret for the schedule', { CRON_SECRET: 'short' }, 'CRON_SECRET'],
  ['a sender of a domain that Resend does not know', { MAIL_FROM: 'Us <us@other.example>' }, 'MAIL_FROM'],
  ['a Clerk key in the place of Stripe’s', { STRIPE_SECRET_KEY: 'sk_clerk' }, 'STRIPE_SECRET_KEY'],
  ['two sites', { VITE_SITE_URL: 'https://one.test', SITE_URL: 'https://two.test' }, 'SITE_URL'],
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

it('takes addresses with a slash at their end as the app and the functions do', async () => {
  const { VITE_SUPABASE_URL, SITE_URL, CLERK_ISSUER } = await rightConfiguration();
  const changes = {
    VITE_SUPABASE_URL: `${VITE_SUPABASE_URL}/`,
    SITE_URL: `${SITE_URL}/`,
    CLERK_ISSUER: `${CLERK_ISSUER}/`,
  };
  expect(await examineWith(changes)).toEqual([]);
});

describe('with a database', () => {
  let expected: Report;
  let right: Report;
  beforeAll(async () => {
    expected = await expectedReport();
    right = {
      ...expected,
      has_owner_email: true,
      token_issuer: env.IDENTITY_ISSUER,
      sees_client_address: true,
      schedules: expected.workers.map(({ worker, schedule }) => ({ name: worker, schedule, active: true })),
      workers: expected.workers.map((worker) => ({ ...worker, is_late: false, seconds_since_success: 40 })),
    };
  });
  const without = (objects: Report['objects'], name: string) =>
    Object.fromEntries(Object.entries(objects).filter(([object]) => object !== name));
  /** deliver-events in trouble. */
  const delivery =
    (state: Partial<Report['workers'][number]>, changes: Partial<Report> = {}) =>
    (report: Report) => ({
      ...changes,
      workers: report.workers.map((worker) => (worker.worker === 'deliver-events' ? { ...worker, ...state } : worker)),
    });
  const silent = { seconds_since_success: 3_600, is_late: true };
  const jobs = (changes: object) => (report: Report) =>
    report.schedules?.map((job) => ({ ...job, ...changes })) ?? null;

  // TRUST-29, TRUST-24: what only the installation can set is looked at as well.
  it.each<[string, (report: Report) => Partial<Report>, string, RegExp]>([
    ['without the last migration', () => ({ migrations: [] }), 'Migrations', /db push --remote/],
    ['whose migrations nobody recorded', () => ({ migrations: null }), 'Migrations', /official CLI/],
    [
      'of a newer checkout',
      ({ migrations }) => ({ migrations: [...(migrations ?? []), '2999'] }),
      'Migrations',
      /2999/,
    ],
    [
      'without a policy',
      ({ objects }) => ({ objects: without(objects, 'policy storage.objects.proofs_insert') }),
      'Policies',
      /proofs_insert/,
    ],
    [
      'with a policy that was widened',
      ({ objects }) => ({ objects: { ...objects, 'policy storage.objects.proofs_read': 'other' } }),
      'Policies',
      /proofs_read/,
    ],
    [
      'with a foreign policy',
      ({ objects }) => ({ objects: { ...objects, 'policy public.wallets.anyone': 'x' } }),
      'Policies',
      /wallets.anyone/,
    ],
    ['with an open table', () => ({ tables_without_rls: ['wallets'] }), 'Policies', /wallets/],
    [
      'with an edited procedure',
      ({ objects }) => ({ objects: { ...objects, 'function public.get_site_stats()': 'edited' } }),
      'Schema',
      /get_site_stats/,
    ],
    [
      'without an index',
      ({ objects }) => ({ objects: without(objects, 'index public.outbox_events_due') }),
      'Schema',
      /outbox_events_due \(missing\)/,
    ],
    [
      'without a bucket',
      ({ buckets }) => ({ buckets: buckets.filter(({ id }) => id !== 'proofs') }),
      'Bucket proofs',
      /missing/,
    ],
    [
      'without the bucket of the sitemap',
      ({ buckets }) => ({ buckets: buckets.filter(({ id }) => id !== 'site') }),
      'Bucket site',
      /missing/,
    ],
    [
      'with open proofs',
      ({ buckets }) => ({ buckets: buckets.map((bucket) => ({ ...bucket, public: true })) }),
      'Bucket proofs',
      /public/,
    ],
    [
      'with a bucket that takes more',
      ({ buckets }) => ({
        buckets: buckets.map((bucket) => (bucket.id === 'site' ? { ...bucket, file_size_limit: null } : bucket)),
      }),
      'Bucket site',
      /bytes/,
    ],
    [
      'with a bucket that takes everything',
      ({ buckets }) => ({
        buckets: buckets.map((bucket) => (bucket.id === 'site' ? { ...bucket, allowed_mime_types: null } : bucket)),
      }),
      'Bucket site',
      /everything/,
    ],
    ['without an owner', () => ({ has_owner_email: false }), 'Owner', /owner_email/],
    ['that believes every issuer', () => ({ token_issuer: null }), 'Token issuer', /every issuer/],
    [
      'that believes another issuer',
      () => ({ token_issuer: 'https://clerk.other.example' }),
      'Token issuer',
      /clerk.other/,
    ],
    ['that sees no addresses', () => ({ sees_client_address: false }), 'Client address', /address_header/],
    ['without pg_cron', delivery(silent, { schedules: null }), 'Schedule deliver-events', /pg_cron is not installed/],
    ['without a job', delivery(silent, { schedules: [] }), 'Schedule deliver-events', /no job of that name/],
    [
      'with a job that is off',
      (report) => ({ ...delivery(silent)(report), schedules: jobs({ active: false })(report) }),
      'Schedule deliver-events',
      /switched off/,
    ],
    ['with a job that reaches nobody', delivery(silent), 'Schedule deliver-events', /although the job is there/],
    [
      'with a worker that fails',
      delivery({ ...silent, last_problem: 'FORBIDDEN' }),
      'Schedule deliver-events',
      /FORBIDDEN/,
    ],
    [
      'whose worker never ran',
      delivery({ seconds_since_success: null, is_late: true }),
      'Schedule deliver-events',
      /has never ended well/,
    ],
    [
      'whose mails wait',
      () => ({ outbox: { waiting_seconds: 3_600, failed: 0, last_error: 'down' } }),
      'Outbox',
      /60 minutes: down/,
    ],
    [
      'whose every mail fails',
      () => ({ outbox: { waiting_seconds: null, failed: 9, last_error: 'invalid key' } }),
      'Outbox',
      /9 mails were given up.*invalid key/,
    ],
  ])('%s, says so', (_what, change, subject, detail) => {
    expect(problems(compare(right, expected, env.IDENTITY_ISSUER))).toEqual([]);
    const found = problems(compare({ ...right, ...change(right) }, expected, env.IDENTITY_ISSUER));
    expect(found).toEqual([{ state: 'problem', subject, detail: expect.stringMatching(detail) }]);
  });

  it('tells a procedure that was changed behind the migrations’ back', async () => {
    await sql().query('create function public.doctor_test() returns integer language sql as $$ select 1 $$');
    onTestFinished(async () => void (await sql().query('drop function public.doctor_test()')));
    const findings = await examine(await rightConfiguration());
    expect(findings.find(({ subject }) => subject === 'Schema')).toEqual({
      state: 'warning',
      subject: 'Schema',
      detail: 'not ours: function public.doctor_test()',
    });
  });
});

describe('with a project', () => {
  /** The stack under test, with some answers of its own. */
  async function projectThat(build: (app: Hono) => void): Promise<string[]> {
    const { url, close } = await serveApp((app) => {
      build(app);
      app.all('*', (context) => {
        const { pathname, search } = new URL(context.req.url);
        return proxy(`${env.SUPABASE_URL}${pathname}${search}`, { raw: context.req.raw });
      });
    });
    onTestFinished(close);
    return (await examineWith({ VITE_SUPABASE_URL: url })).map(({ subject }) => subject);
  }
  const auth = (answer: object) => (app: Hono) => app.get('/auth/v1/settings', (context) => context.json(answer));
  const schemas = (answer: object) => (app: Hono) =>
    app.get('/rest/v1/nothing', (context) => context.json(answer, 406));

  it.each<[string, (app: Hono) => unknown, string]>([
    ['where anybody may sign up', auth({ disable_signup: false }), 'Sign-ups'],
    ['with anonymous sign-ins', auth({ disable_signup: true, external: { anonymous_users: true } }), 'Sign-ups'],
    ['whose Auth says nothing', (app) => app.get('/auth/v1/settings', (context) => context.notFound()), 'Sign-ups'],
    [
      'that exposes our helpers (PostgREST 12)',
      schemas({ message: 'The schema must be one of the following: public, private' }),
      'Exposed schemas',
    ],
    [
      'that exposes our helpers (PostgREST 14)',
      schemas({ message: 'Invalid schema: x', hint: 'Only the following schemas are exposed: public, private' }),
      'Exposed schemas',
    ],
    [
      'that hands out everything at once',
      (app) => app.get('/rest/v1/rpc/probe_row_ceiling', (context) => context.json(Array.from({ length: 2_000 }))),
      'Row ceiling',
    ],
    [
      'without a function',
      (app) => app.get('/functions/v1/unsubscribe/health', (context) => context.notFound()),
      'Function unsubscribe',
    ],
    [
      'with an older function',
      (app) => app.get('/functions/v1/unsubscribe/health', (context) => context.json({ ok: true, release: 'older' })),
      'Function unsubscribe',
    ],
    [
      'whose function wants a token',
      (app) => app.get('/functions/v1/unsubscribe/health', (context) => context.json({}, 401)),
      'Function unsubscribe',
    ],
    [
      'whose function lacks a variable',
      (app) =>
        app.get('/functions/v1/unsubscribe/health', (context) =>
          context.json({ code: 'NOT_CONFIGURED', details: ['SITE_URL: missing'] }, 500),
        ),
      'Function unsubscribe',
    ],
    [
      'where visitors read addresses',
      (app) => app.get('/rest/v1/user_profiles', (context) => context.json([])),
      'Visitors',
    ],
  ])('%s, complains about it', async (_what, build, subject) => {
    expect(await projectThat((app) => void build(app))).toContain(subject);
  });
});

describe('with functions', () => {
  it('says yes only to those of this checkout', () => {
    expect(compareRelease('Function x', functionsRelease(), functionsRelease()).state).toBe('fine');
    expect(compareRelease('Function x', 'other', functionsRelease()).state).toBe('problem');
    expect(compareRelease('Function x', undefined, functionsRelease()).state).toBe('problem');
    expect(compareRelease('Function x', UNSTAMPED, functionsRelease()).state).toBe('skipped');
  });

  it('knows those that were deployed by their stamp, which changes with their source', () => {
    const { directory, remove } = stampedCopy();
    onTestFinished(remove);
    const copy = join(directory, 'supabase/functions');
    expect(readFileSync(join(copy, '_shared/release.ts'), 'utf8')).toContain(`'${functionsRelease()}'`);
    expect(functionsRelease(copy)).toBe(functionsRelease());
    appendFileSync(join(copy, 'unsubscribe/index.ts'), '// changed');
    expect(functionsRelease(copy)).not.toBe(functionsRelease());
  });
});

describe('with Resend', () => {
  it.each<[string, object, 200 | 401 | 403, string, Finding['state']]>([
    ['a wrong key', { name: 'validation_error', message: 'API key is invalid' }, 401, 'RESEND_API_KEY', 'problem'],
    ['another account', { data: [] }, 200, 'MAIL_FROM', 'problem'],
    ['a pending domain', { data: [{ name: 'questboard.local', status: 'pending' }] }, 200, 'MAIL_FROM', 'problem'],
    ['a key that may only send', { name: 'restricted_api_key' }, 401, 'Mail sender', 'skipped'],
  ])('%s is named', async (_what, answer, status, subject, state) => {
    const other = await serveResend(answer, status);
    onTestFinished(other.close);
    const findings = await examine({ ...(await rightConfiguration()), RESEND_API_URL: other.url });
    expect(findings).toContainEqual({ state, subject, detail: expect.any(String) });
    expect(findings.filter((finding) => finding.subject === 'Mail sender' && finding.state === 'fine')).toEqual([]);
  });
});

it('says that nothing is wrong only when everything was looked at', () => {
  expect(summarize([fine('A', '')])).toBe('Everything was looked at, and nothing is wrong.');
  expect(summarize([fine('A', ''), skipped('B', '')])).toBe('Not looked at: B.');
  expect(summarize([fine('A', ''), problem('B', ''), warning('C', ''), skipped('D', '')])).toBe(
    '1 wrong: B. To be looked at: C. Not looked at: D.',
  );
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
  const rightSite = (sent: string) =>
    siteThat((app) => {
      app.get('/api/*', (context) => proxy(`${env.SUPABASE_URL}${context.req.path}`));
      app.get('/quest/*', (context) => context.html('<html>', 404));
      page(app, sent);
    });
  const policy = async () => contentSecurityPolicy(await rightConfiguration(), '<html>');
  const examineSite = async (url: string) =>
    (await examineWith({ VITE_SITE_URL: url, SITE_URL: url })).map(({ subject }) => subject);

  it('that is right, has only to be allowed to call', async () => {
    expect(await examineSite(await rightSite(await policy()))).toEqual(['Origin']);
  });

  it('whose policy is of another configuration, names what it lacks or lets in', async () => {
    const older = (await policy()).replaceAll('https://*.protect.clerk.com', '');
    expect(await examineSite(await rightSite(older))).toEqual(['Origin', 'Headers']);
    const wider = (await policy()).replace("script-src 'self'", "script-src 'self' https://elsewhere.example");
    expect(await examineSite(await rightSite(wider))).toEqual(['Origin', 'Headers']);
  });

  it('BEY-17 without headers, rewrites and the edge function, names all of them', async () => {
    const url = await siteThat((app) => page(app, ''));
    expect(await examineSite(url)).toEqual(['Origin', 'Headers', 'Pages', 'Rewrites']);
  });
});
