import { Hono } from 'hono';
import { afterAll, beforeAll } from 'vitest';
import { CLERK_WEBHOOK_SECRET, STRIPE_WEBHOOK_SECRET } from '../constants.ts';
import { expectedEvents } from '../doctor/checks/payments.ts';
import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { type Listening, listen } from '../process/listen.ts';
import { closeSql, newPersona, sql, testEnv, tokenFor } from './clients.ts';

const env = testEnv();
const OUR_ENDPOINT = `${env.SUPABASE_URL}/functions/v1/stripe-webhook`;

/** Serves an app; the test, or the file, closes it. */
export function serveApp(build: (app: Hono) => void): Promise<Listening> {
  const app = new Hono();
  build(app);
  return listen(app, 0);
}

/** Stripe's list of webhook endpoints, which the emulator lacks. */
export const serveStripe = (endpoint: object | null, key = 'sk_test_local') =>
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

/** Resend's list of domains, which the emulator lacks. */
export const serveResend = (answer: object, status: 200 | 401 | 403 = 200) =>
  serveApp((app) => app.get('/domains', (context) => context.json(answer, status)));

export const WORKERS = ['deliver-events', 'import-logos', 'remove-orphans', 'self-check'];

let stripe: Listening;
let resend: Listening;

/** Makes the stack under test a flawless deployment for the tests of one file. */
export function setUpDeployment(): void {
  beforeAll(async () => {
    stripe = await serveStripe({ enabled_events: expectedEvents() });
    resend = await serveResend({ data: [{ name: 'questboard.local', status: 'verified' }] });
    for (const name of WORKERS) {
      const headers = { authorization: `Bearer ${env.CRON_SECRET}` };
      await fetch(`${env.SUPABASE_URL}/functions/v1/${name}`, { method: 'POST', headers });
    }
    // Clears the outbox, whose backlog on a test stack is not a finding.
    await sql().query(
      'update public.outbox_events set processed_at = now(), failed_at = null where processed_at is null',
    );
  });
  afterAll(() => Promise.all([stripe.close(), resend.close(), closeSql()]));
}

/** The configuration of the stack under test, as a deployment would write it. */
export async function rightConfiguration() {
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

export const problems = (findings: Finding[]): Finding[] => findings.filter(({ state }) => state === 'problem');

/** The doctor's findings when some variables are changed. */
export const examineWith = async (changes: Record<string, string | undefined>): Promise<Finding[]> =>
  problems(await examine({ ...(await rightConfiguration()), ...changes }));
