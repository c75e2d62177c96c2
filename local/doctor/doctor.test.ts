import { describe, expect, it, onTestFinished } from 'vitest';
import { summarize } from '../commands/doctor.ts';
import { newPersona, sql, testEnv, tokenFor } from '../testing/clients.ts';
import { examineWith, problems, rightConfiguration, setUpDeployment, WORKERS } from '../testing/deployment.ts';
import { examine } from './examine.ts';
import { type Finding, fine, problem, skipped, warning } from './finding.ts';

const env = testEnv();
setUpDeployment();

/** Whether a stack's functions match the checkout shows only on a deployment. */
const unseen = (findings: Finding[]) =>
  findings.flatMap(({ state, subject }) => (state === 'skipped' && !subject.startsWith('Function ') ? [subject] : []));

it('finds no problem with a correct configuration', async () => {
  const findings = await examine(await rightConfiguration());
  expect(problems(findings)).toEqual([]);
  expect(findings.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      'API',
      'Visitors',
      'Exposed schemas',
      'GraphQL',
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

it('names every missing or malformed variable, and shows no value', async () => {
  const findings = await examine({ STRIPE_SECRET_KEY: 'pk_wrong', VITE_SUPABASE_URL: 'example.com' });
  expect(findings.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['VITE_SUPABASE_URL', 'VITE_SUPABASE_ANON_KEY', 'STRIPE_SECRET_KEY', 'CLERK_ISSUER']),
  );
  expect(JSON.stringify(findings)).not.toContain('pk_wrong');
});

it('checks the database after the first step of deploy.md, and names the remaining steps', async () => {
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
  ['an unreachable address', { VITE_SUPABASE_URL: 'http://127.0.0.1:1' }, 'VITE_SUPABASE_URL'],
  ['a wrong publishable key', { VITE_SUPABASE_ANON_KEY: 'sb_publishable_other' }, 'VITE_SUPABASE_ANON_KEY'],
  ['the secret key in the app', { VITE_SUPABASE_ANON_KEY: env.SUPABASE_SECRET_KEY }, 'VITE_SUPABASE_ANON_KEY'],
  ['a wrong secret key', { SUPABASE_SECRET_KEY: 'sb_secret_other' }, 'SUPABASE_SECRET_KEY'],
  ['an issuer that does not match the key', { CLERK_ISSUER: 'https://other.clerk.accounts.dev' }, 'CLERK_ISSUER'],
  ['a Clerk host that does not match the key', { CLERK_DOMAIN: 'clerk.other.example' }, 'CLERK_DOMAIN'],
  ['a key of Clerk that is cut short', { VITE_CLERK_PUBLISHABLE_KEY: 'pk_live_abc' }, 'VITE_CLERK_PUBLISHABLE_KEY'],
  ['a Stripe that is not reached', { STRIPE_API_URL: 'http://127.0.0.1:1' }, 'Payment events'],
  ['missing signing keys', { CLERK_JWKS_URL: `${env.IDENTITY_URL}/nothing` }, 'CLERK_ISSUER'],
  ['no session token', { DOCTOR_SESSION_TOKEN: 'abc' }, 'DOCTOR_SESSION_TOKEN'],
  ['another Stripe secret', { STRIPE_WEBHOOK_SECRET: 'whsec_other' }, 'STRIPE_WEBHOOK_SECRET'],
  ['another Clerk secret', { CLERK_WEBHOOK_SECRET: `whsec_${btoa('other')}` }, 'CLERK_WEBHOOK_SECRET'],
  [
    'Clerk in live mode and Stripe in test mode',
    { VITE_CLERK_PUBLISHABLE_KEY: `pk_live_${btoa('clerk.local$')}` },
    'Keys',
  ],
  [
    'the same, with nothing else configured yet',
    { VITE_CLERK_PUBLISHABLE_KEY: `pk_live_${btoa('clerk.local$')}`, SITE_URL: undefined },
    'Keys',
  ],
  ["the demo project's address", { DEMO_PROJECT_URL: 'http://127.0.0.1:1' }, 'DEMO_PROJECT_URL'],
  ['a short secret for the schedule', { CRON_SECRET: 'short' }, 'CRON_SECRET'],
  ['a sender domain that Resend does not know', { MAIL_FROM: 'Us <us@other.example>' }, 'MAIL_FROM'],
  ["a Clerk key in place of Stripe's", { STRIPE_SECRET_KEY: 'sk_clerk' }, 'STRIPE_SECRET_KEY'],
  ['two sites', { VITE_SITE_URL: 'https://one.test', SITE_URL: 'https://two.test' }, 'SITE_URL'],
  ['a site that is not allowed to call', { SITE_URL: 'https://other.example.com' }, 'Origin'],
  ['an unreachable site', { VITE_SITE_URL: 'http://127.0.0.1:1', SITE_URL: 'http://127.0.0.1:1' }, 'Site'],
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

it('accepts addresses with a trailing slash, as the app and the functions do', async () => {
  const { VITE_SUPABASE_URL, SITE_URL, CLERK_ISSUER } = await rightConfiguration();
  const changes = {
    VITE_SUPABASE_URL: `${VITE_SUPABASE_URL}/`,
    SITE_URL: `${SITE_URL}/`,
    CLERK_ISSUER: `${CLERK_ISSUER}/`,
  };
  expect(await examineWith(changes)).toEqual([]);
});

it('reports a procedure that was changed outside the migrations', async () => {
  await sql().query('create function public.doctor_test() returns integer language sql as $$ select 1 $$');
  onTestFinished(async () => void (await sql().query('drop function public.doctor_test()')));
  const findings = await examine(await rightConfiguration());
  expect(findings.find(({ subject }) => subject === 'Schema')).toEqual({
    state: 'warning',
    subject: 'Schema',
    detail: 'not ours: function public.doctor_test()',
  });
});

it.each([
  ['sequence private.counter_deltas_id_seq', 'usage on sequence private.counter_deltas_id_seq to anon', 'anon'],
  ['schema public', 'create on schema public to authenticated', 'authenticated'],
])('reports that privileges of the %s were changed', async (object, granted, role) => {
  await sql().query(`grant ${granted}`);
  onTestFinished(async () => void (await sql().query(`revoke ${granted.replace(` to ${role}`, ` from ${role}`)}`)));
  const findings = await examine(await rightConfiguration());
  expect(findings.find(({ subject }) => subject === 'Schema')).toMatchObject({
    state: 'problem',
    detail: expect.stringContaining(`1 not as the migrations make them: ${object}.`),
  });
});

it('reports success only when every check ran', () => {
  expect(summarize([fine('A', '')])).toBe('Everything was looked at, and nothing is wrong.');
  expect(summarize([fine('A', ''), skipped('B', '')])).toBe('Not looked at: B.');
  expect(summarize([fine('A', ''), problem('B', ''), warning('C', ''), skipped('D', '')])).toBe(
    '1 wrong: B. To be looked at: C. Not looked at: D.',
  );
});
