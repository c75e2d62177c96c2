import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { API_ROUTES } from '../../vite/hosting/api-routes.ts';
import { type Caller, CallerRefused } from './caller.ts';
import { forward } from './forward.ts';

const MEGABYTE = 1024 * 1024;
const SECONDS_OF_A_DAY = 86_400;

export interface GatewayOptions {
  /** Base URLs of what stands behind the gateway, without a trailing slash. */
  restUrl: string;
  functionsUrl: string;
  /** Answers /storage/v1. */
  storage: Hono;
  identify(headers: Headers): Promise<Caller>;
}

/** One origin for everything that a hosted project answers: /rest/v1, /storage/v1, /functions/v1, and the app's /api. */
export function createGateway(options: GatewayOptions): Hono {
  const gateway = new Hono();

  gateway.use('/rest/v1/*', anyOrigin);
  gateway.use('/storage/v1/*', anyOrigin);

  gateway.use('/rest/v1/*', limitBody(2 * MEGABYTE));
  gateway.all('/rest/v1/*', async (context) => {
    const request = context.req.raw;
    const caller = await options.identify(request.headers);
    const headers = new Headers(request.headers);
    for (const name of ['apikey', 'authorization', 'cookie']) headers.delete(name);
    // Whatever the caller claims: the database counts visitors by this address.
    headers.set('x-forwarded-for', getConnInfo(context).remote.address ?? '');
    if (caller.token) headers.set('authorization', `Bearer ${caller.token}`);
    return forward(request, `${options.restUrl}${pathAfter('/rest/v1', request.url)}`, headers);
  });

  gateway.route('/storage/v1', options.storage);

  // The functions answer preflights and name their origins themselves, here as on the platform.
  gateway.use('/functions/v1/*', limitBody(2 * MEGABYTE));
  gateway.all('/functions/v1/*', ({ req: { raw: request } }) =>
    forward(request, `${options.functionsUrl}${pathAfter('/functions/v1', request.url)}`, new Headers(request.headers)),
  );

  gateway.use('/api/*', limitBody(2 * MEGABYTE));
  for (const [path, name] of Object.entries(API_ROUTES)) {
    gateway.all(path, ({ req: { raw: request } }) =>
      forward(request, `${options.functionsUrl}/${name}${new URL(request.url).search}`, new Headers(request.headers)),
    );
  }

  gateway.notFound((context) => context.json({ code: 'not_found', message: 'No such path' }, 404));
  gateway.onError((error, context) => {
    if (error instanceof CallerRefused) {
      const { code, message } = error;
      return context.json({ code, message, details: null, hint: null }, 401, { 'www-authenticate': 'Bearer' });
    }
    console.error('Gateway:', error);
    return context.json({ code: 'internal', message: 'The local gateway failed; see the terminal.' }, 500);
  });
  return gateway;
}

/** As on the platform every origin may ask: the token decides, and no cookie is involved. */
const anyOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  exposeHeaders: ['content-range', 'content-location', 'preference-applied', 'content-disposition', 'retry-after'],
  maxAge: SECONDS_OF_A_DAY,
});

const limitBody = (maxSize: number) =>
  bodyLimit({ maxSize, onError: (context) => context.json({ code: 'too_large', message: 'Payload too large' }, 413) });

function pathAfter(prefix: string, url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname.slice(prefix.length) || '/'}${search}`;
}
