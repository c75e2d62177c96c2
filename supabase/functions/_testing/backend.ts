import { Hono } from 'hono';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { listen } from '../../../local/process/listen.ts';

export const SECRET_KEY = 'sb_secret_functions_test';
export const CRON_SECRET = 'cron_secret_of_the_functions_test';
export const ISSUER = 'https://identity.functions.test';

/** Thrown by a scripted procedure: refuses as `private.raise_error` does through PostgREST. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export type Arguments = Record<string, unknown>;
export type Procedure = (args: Arguments) => unknown;

export interface Backend {
  url: string;
  jwksUrl: string;
  /** Scripted procedures; reset with `procedures.clear()`. */
  procedures: Map<string, Procedure>;
  /** Addresses that have unsubscribed. */
  unsubscribed: Set<string>;
  /** Every call that carried the secret key, in order. */
  calls: { name: string; args: Arguments }[];
  /** URL of every request, in order, as in the platform's log. */
  urls: string[];
  /** A session token signed like the identity provider's; `claims` override the defaults. */
  token(subject: string, claims?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/**
 * A scripted backend with the procedures and signing keys that the functions need, so that every failure can be
 * simulated.
 */
export async function startBackend(): Promise<Backend> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'RS256', use: 'sig' };
  const procedures = new Map<string, Procedure>();
  const unsubscribed = new Set<string>();
  const calls: Backend['calls'] = [];
  const urls: string[] = [];
  /** Defaults for every test. */
  const standard = new Map<string, Procedure>([
    ['admit_mail', ({ p_email }) => (unsubscribed.has(String(p_email)) ? 'opted_out' : 'send')],
  ]);

  const app = new Hono();
  app.use(async (context, next) => {
    urls.push(context.req.url);
    await next();
  });
  app.get('/.well-known/jwks.json', (context) => context.json({ keys: [jwk] }));
  app.post('/rest/v1/rpc/:name', async (context) => {
    if (context.req.header('apikey') !== SECRET_KEY) return context.json({ message: 'no key' }, 401);
    const call = { name: context.req.param('name'), args: await context.req.json<Arguments>() };
    calls.push(call);
    const procedure = procedures.get(call.name) ?? standard.get(call.name);
    if (!procedure)
      return context.json({ code: 'PGRST202', message: 'not found', hint: 'Perhaps you meant another' }, 404);
    try {
      return Response.json((await procedure(call.args)) ?? null);
    } catch (error) {
      if (!(error instanceof Refusal)) return context.json({ message: 'down', hint: null }, 503);
      const { status, message, code: hint } = error;
      return Response.json({ code: `PT${status}`, message, hint, details: null }, { status });
    }
  });
  const { url, close } = await listen(app, 0);

  return {
    url,
    jwksUrl: `${url}/.well-known/jwks.json`,
    procedures,
    unsubscribed,
    calls,
    urls,
    token: (subject, claims = {}) => {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ iss: ISSUER, sub: subject, iat: now, exp: now + 60, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'test' })
        .sign(privateKey);
    },
    close,
  };
}
