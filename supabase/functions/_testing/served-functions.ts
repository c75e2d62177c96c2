import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { type Emulators, startEmulators } from '../../../local/emulators/start-emulators.ts';
import type { FunctionsEnvironment } from '../../../local/functions/environment.ts';
import { type Functions, startFunctions } from '../../../local/functions/start-functions.ts';
import { type Listening, listen } from '../../../local/process/listen.ts';
import { type Backend, CRON_SECRET, ISSUER, SECRET_KEY, startBackend } from './backend.ts';

export const SITE_URL = 'http://site.functions.test';
export const WEBHOOK_SECRET = 'whsec_functions_test';
export const CLERK_WEBHOOK_SECRET = `whsec_${btoa('functions test')}`;
/**
 * For tests of an unresponsive provider. All others keep the default timeout (8 s), which also applies to the scripted
 * backend: on a busy machine, a response after half a second must not look like an outage.
 */
export const SHORT_DEADLINE = { PROVIDER_TIMEOUT_MS: '4000' };

export interface Served {
  functions: Functions;
  backend: Backend;
  emulators: Emulators;
  /** Every line that the functions logged. */
  log: string[];
  /** POSTs JSON to a function. */
  post(name: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Serves the real functions on Deno with the Stripe and Resend emulators and a scripted backend.
 * @param overrides change the environment: a dead provider, a missing variable (by an empty string).
 */
export async function serveFunctions(overrides: FunctionsEnvironment = {}): Promise<Served> {
  const backend = await startBackend();
  const log: string[] = [];
  // The emulator needs the functions' URL and vice versa, so events go through this late-bound relay.
  let functionsUrl = '';
  const relay = await startWebhookRelay(() => `${functionsUrl}/stripe-webhook`);
  const emulators = await startEmulators({
    stripePort: 0,
    resendPort: 0,
    webhookUrl: relay.url,
    webhookSecret: WEBHOOK_SECRET,
  });
  const functions = await startFunctions({
    env: {
      SUPABASE_URL: backend.url,
      SUPABASE_SECRET_KEY: SECRET_KEY,
      CRON_SECRET,
      CLERK_ISSUER: ISSUER,
      CLERK_JWKS_URL: backend.jwksUrl,
      CLERK_WEBHOOK_SECRET,
      SITE_URL,
      ALLOWED_ORIGINS: 'https://preview.functions.test,https://questboard-*-team.hosting.test',
      RESEND_API_KEY: 're_test',
      RESEND_API_URL: emulators.mailUrl,
      MAIL_FROM: 'Questboard <hello@questboard.test>',
      STRIPE_SECRET_KEY: 'sk_test_functions',
      STRIPE_API_URL: emulators.stripeUrl,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      ...overrides,
    },
    onLog: (_name, line) => log.push(line),
  });
  functionsUrl = functions.url;

  return {
    functions,
    backend,
    emulators,
    log,
    post: (name, body, headers = {}) =>
      fetch(`${functions.url}/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    close: async () => {
      await Promise.all([functions.close(), emulators.close(), backend.close(), relay.close()]);
    },
  };
}

function startWebhookRelay(target: () => string): Promise<Listening> {
  const app = new Hono();
  app.post('/', (context) => proxy(target(), { raw: context.req.raw }));
  return listen(app, 0);
}
