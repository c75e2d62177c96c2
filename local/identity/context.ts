import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { FapiError, failures } from './errors.ts';
import type { Client, Session, User } from './model.ts';
import { serializeSession, serializeSignIn, serializeSignUp } from './serializers.ts';
import { type Services, sessionToken } from './services.ts';

export interface FapiEnv {
  Variables: {
    services: Services;
    /** The browser, when its cookie is known. */
    client: Client | undefined;
    /** The body's text fields. */
    form: Partial<Record<string, string>>;
  };
}

export type FapiContext = Context<FapiEnv>;

const clientCookie = '__client';
/** When somebody signed in, in seconds, or 0: tells the app's scripts, which cannot read the other one, that there is a session. */
const updatedAtCookie = '__client_uat';
const yearSeconds = 31_536_000;

/** Reads the browser's cookie and the form that it sent. */
export function withRequest(services: Services) {
  return createMiddleware<FapiEnv>(async (c, next) => {
    c.set('services', services);
    c.set('client', services.store.client(getCookie(c, clientCookie) ?? ''));
    c.set('form', await textFields(c));
    await next();
  });
}

async function textFields(c: Context): Promise<Partial<Record<string, string>>> {
  if (!c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')) return {};
  return Object.fromEntries(new URLSearchParams(await c.req.text()));
}

/** The browser, which gets its cookie now if it has none. */
export function ensureClient(c: FapiContext): Client {
  const known = c.get('client');
  if (known) return known;
  const client = c.get('services').store.addClient();
  setCookie(c, clientCookie, client.key, { ...cookieOptions(c), httpOnly: true });
  c.set('client', client);
  return client;
}

function cookieOptions(c: FapiContext) {
  const isSecure = c.req.header('x-forwarded-proto') === 'https';
  return { path: '/', sameSite: 'Lax', secure: isSecure, maxAge: yearSeconds } as const;
}

/** The origin of the calling page, which becomes the token's `azp`. */
export function callingOrigin(c: FapiContext): string {
  const origin = c.req.header('origin');
  if (origin) return origin;
  const url = new URL(c.req.url);
  const protocol = c.req.header('x-forwarded-proto') ?? url.protocol.replace(':', '');
  return `${protocol}://${c.req.header('x-forwarded-host') ?? url.host}`;
}

/** The active session with this id in this browser; 401 when it has ended, upon which the SDK signs out. */
export function sessionById(c: FapiContext, id: string): { session: Session; user: User } {
  const session = c.get('client')?.sessions.find((candidate) => candidate.id === id);
  const user = session && c.get('services').store.user(session.userId);
  if (!session || !user) throw failures.signedOut();
  return { session, user };
}

/** The calling user: the SDK names its session in the query. */
export function currentSession(c: FapiContext): { session: Session; user: User } {
  const id = c.req.query('_clerk_session_id') ?? c.get('client')?.sessions[0]?.id;
  if (!id) throw failures.signedOut();
  return sessionById(c, id);
}

export async function serializeSessionFor(c: FapiContext, session: Session, user: User) {
  const jwt = await sessionToken(c.get('services'), session, user, callingOrigin(c));
  return serializeSession(session, user, jwt);
}

/** The browser's whole state, included in every response so that the SDK never has to fetch it. */
export async function serializeClientFor(c: FapiContext, client: Client) {
  const { store, attempts } = c.get('services');
  const signIn = attempts.signIn(client);
  const signUp = attempts.signUp(client);
  const sessions = [];
  for (const session of client.sessions) {
    const user = store.user(session.userId);
    if (user) sessions.push(await serializeSessionFor(c, session, user));
  }
  return {
    object: 'client',
    id: client.id,
    sessions,
    sign_in: signIn ? serializeSignIn(signIn) : null,
    sign_up: signUp ? serializeSignUp(signUp) : null,
    last_active_session_id: sessions[0]?.id ?? null,
    last_authentication_strategy: null,
    cookie_expires_at: null,
    captcha_bypass: false,
    created_at: client.createdAt,
    updated_at: client.updatedAt,
  };
}

export async function reply(c: FapiContext, response: unknown): Promise<Response> {
  const client = c.get('client');
  if (client) {
    const [session] = client.sessions;
    setCookie(c, updatedAtCookie, String(session ? Math.floor(session.createdAt / 1000) : 0), cookieOptions(c));
  }
  return c.json({ response, client: client ? await serializeClientFor(c, client) : null });
}

/** Turns a failure into Clerk's error body; anything unexpected is logged and returned without details. */
export async function replyWithError(error: Error, c: FapiContext): Promise<Response> {
  if (!(error instanceof FapiError)) {
    console.error('The identity emulator failed:', error);
    const message = 'The local identity service failed; its log says why.';
    return c.json({ errors: [{ code: 'internal_error', message, long_message: message, meta: {} }] }, 500);
  }
  const { status, code, message, param, retryAfterSeconds } = error;
  if (retryAfterSeconds) c.header('Retry-After', String(retryAfterSeconds));
  const client = c.get('client');
  return c.json(
    {
      errors: [{ code, message, long_message: message, meta: param ? { param_name: param } : {} }],
      ...(client ? { meta: { client: await serializeClientFor(c, client) } } : {}),
      clerk_trace_id: 'local',
    },
    status,
  );
}
