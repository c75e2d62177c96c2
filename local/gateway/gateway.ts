import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import { API_ROUTES } from '../../vite/hosting/api-routes.ts';
import { REST_CONNECTIONS } from '../rest/postgrest.ts';
import { type Caller, CallerRefused } from './caller.ts';
import { createUpstream, DEFAULT_LIMITS, type Limits, Overloaded, type Upstream } from './forward.ts';

/** In bytes. */
const LARGEST_BODY = 2 * 1024 * 1024;
/** Of path and query, in characters: the platform's proxy has 8 KB for the first line of a request. */
const LONGEST_URL = 8_000;
/** How long the platform lets a function work on its answer. */
const FUNCTION_ANSWER_MS = 150_000;
const SECONDS_OF_A_DAY = 86_400;
/** Headers that our own pages may read. */
const EXPOSED_HEADERS = [
  'content-range',
  'content-location',
  'preference-applied',
  'content-disposition',
  'retry-after',
  'sb-request-id',
];

/** The platform's words. */
const SCHEMA_FORBIDDEN = {
  message: 'Access to schema is forbidden',
  hint: 'Accessing the schema via the Data API is only allowed using a secret API key.',
};

export interface GatewayOptions {
  /** Base URLs of the upstreams, without a trailing slash. */
  restUrl: string;
  functionsUrl: string;
  /** Answers /storage/v1. */
  storage: Hono;
  /** Other handlers by path, such as the demo project. */
  sites: Record<string, Hono>;
  identify(headers: Headers): Promise<Caller>;
  /** Origins whose pages may call /rest/v1 and /storage/v1; the functions define theirs themselves. */
  origins: string[];
  /** Limits for PostgREST and the functions, separately; calls beyond them are answered 503 or 504. */
  limits?: Partial<Limits>;
}

/**
 * One origin for everything that a hosted project serves: /rest/v1, /storage/v1, /functions/v1, the settings of /auth/v1, and the app's
 * /api.
 */
export function createGateway(options: GatewayOptions): Hono {
  const gateway = new Hono();
  // PostgREST does not serve the calls that wait for one of its connections in order: some would wait until the load is over.
  const rest = createUpstream({ ...DEFAULT_LIMITS, running: REST_CONNECTIONS, ...options.limits });
  const functions = createUpstream({ ...DEFAULT_LIMITS, answerMs: FUNCTION_ANSWER_MS, ...options.limits });
  gateway.use('/rest/v1/*', refuseAtOnce(rest, options.origins));
  for (const path of ['/functions/v1/*', '/api/*']) gateway.use(path, refuseAtOnce(functions, options.origins));
  gateway.use(numberRequests);

  for (const path of ['/rest/v1/*', '/storage/v1/*']) {
    gateway.use(path, refuseForeignPages(options.origins));
    gateway.use(path, ownPages(options.origins));
  }

  gateway.use('/rest/v1/*', refuseLongUrls);
  gateway.use('/rest/v1/*', limitBody);
  gateway.all('/rest/v1/*', async (context) => {
    const request = context.req.raw;
    const caller = await options.identify(request.headers);
    const target = pathAfter('/rest/v1', request.url);
    // The description of the whole API.
    if (/^\/(\?|$)/.test(target) && caller.role !== 'service_role') return context.json(SCHEMA_FORBIDDEN, 403);
    const headers = vouchedHeaders(context);
    for (const name of ['apikey', 'authorization', 'cookie']) headers.delete(name);
    if (caller.token) headers.set('authorization', `Bearer ${caller.token}`);
    return rest.forward(request, `${options.restUrl}${target}`, headers);
  });

  gateway.route('/storage/v1', options.storage);

  // Supabase Auth as docs/deploy.md configures it on the platform: without sign-up.
  gateway.get('/auth/v1/settings', async (context) => {
    await options.identify(context.req.raw.headers);
    return context.json({ disable_signup: true, external: { anonymous_users: false, email: true } });
  });

  // The functions answer preflights and define their origins themselves, here as on the platform.
  gateway.use('/functions/v1/*', limitBody);
  gateway.all('/functions/v1/*', (context) => {
    const request = context.req.raw;
    return functions.forward(
      request,
      `${options.functionsUrl}${pathAfter('/functions/v1', request.url)}`,
      vouchedHeaders(context),
    );
  });

  gateway.use('/api/*', limitBody);
  for (const [path, name] of Object.entries(API_ROUTES)) {
    gateway.all(path, (context) => {
      const request = context.req.raw;
      const target = `${options.functionsUrl}/${name}${new URL(request.url).search}`;
      return functions.forward(request, target, vouchedHeaders(context));
    });
  }

  for (const [path, site] of Object.entries(options.sites)) gateway.route(path, site);

  gateway.notFound((context) => context.json({ code: 'not_found', message: 'No such path' }, 404));
  gateway.onError((error, context) => {
    if (error instanceof CallerRefused) {
      const { code, message } = error;
      return context.json({ code, message, details: null, hint: null }, 401, { 'www-authenticate': 'Bearer' });
    }
    if (error instanceof Overloaded) return refuse(context, options.origins);
    console.error('Gateway:', error);
    return context.json({ code: 'internal', message: 'The local gateway failed; see the terminal.' }, 500);
  });
  return gateway;
}

/**
 * The request's headers as the hosted platform passes them on (TRUST-24): the caller's own x-forwarded-for entries stay
 * in front of the true address, cf-connecting-ip is the true address alone.
 */
function vouchedHeaders(context: Context): Headers {
  const headers = new Headers(context.req.raw.headers);
  const address = getConnInfo(context).remote.address ?? '';
  headers.append('x-forwarded-for', address);
  headers.set('cf-connecting-ip', address);
  return headers;
}

/**
 * Calls beyond an upstream's limits are refused before anything else is done with them: under overload, checking tokens and bodies that are
 * then discarded would keep everybody waiting. Preflights pass, because without them a page could not read the refusal.
 */
const refuseAtOnce = (upstream: Upstream, origins: string[]) =>
  createMiddleware(async (context, next) => {
    if (context.req.method === 'OPTIONS' || !upstream.isFull()) return await next();
    return refuse(context, origins, { 'sb-request-id': crypto.randomUUID() });
  });

function refuse(context: Context, origins: string[], headers: Record<string, string> = {}): Response {
  const body = { code: 'overloaded', message: 'Too many calls are waiting already', details: null, hint: null };
  return context.json(body, 503, { 'retry-after': '1', ...headers, ...readableBy(context, origins) });
}

/** Lets our own pages read a response that the gateway gives in a function's place. */
function readableBy(context: Context, origins: string[]): Record<string, string> {
  const origin = context.req.header('origin') ?? '';
  if (!origins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS.join(','),
    vary: 'Origin',
  };
}

/** Gives each response the id under which the platform logs its request, and logs failed ones. */
const numberRequests = createMiddleware(async (context, next) => {
  const requestId = crypto.randomUUID();
  await next();
  context.header('sb-request-id', requestId);
  const { method, path, raw } = context.req;
  const { status } = context.res;
  // A disconnected caller gets no response, which is not a failure. Under overload, a log line for each would add load.
  if (status >= 500 && !raw.signal.aborted && !(context.error instanceof Overloaded))
    console.error(JSON.stringify({ level: 'error', event: 'gateway', requestId, method, path, status }));
});

/**
 * Stricter than the platform, where the token alone decides: this gateway runs on the machine of somebody with other pages open. Programs,
 * which send no origin, may call.
 */
const refuseForeignPages = (origins: string[]) =>
  createMiddleware(async (context, next) => {
    const origin = context.req.header('origin');
    if (origin === undefined || origins.includes(origin)) return await next();
    return context.json({ code: 'foreign_origin', message: 'This site may not call the local stack.' }, 403);
  });

const ownPages = (origins: string[]) =>
  cors({
    origin: origins,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: SECONDS_OF_A_DAY,
  });

/** A list of ids in a filter is what makes them long. */
const refuseLongUrls = createMiddleware(async (context, next) => {
  const { pathname, search } = new URL(context.req.url);
  if (pathname.length + search.length <= LONGEST_URL) return await next();
  return context.json({ code: 'uri_too_long', message: 'URI too long' }, 414);
});

const limitBody = bodyLimit({
  maxSize: LARGEST_BODY,
  onError: (context) => context.json({ code: 'too_large', message: 'Payload too large' }, 413),
});

function pathAfter(prefix: string, url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname.slice(prefix.length) || '/'}${search}`;
}
