import { Hono } from 'hono';
import { methodOverride } from 'hono/method-override';
import { getPath } from 'hono/utils/url';
import { assetRoutes } from './asset-routes.ts';
import { type FapiEnv, replyWithError, withRequest } from './context.ts';
import { failures } from './errors.ts';
import { clientRoutes } from './routes/client.ts';
import { meRoutes } from './routes/me.ts';
import { meEmailRoutes } from './routes/me-emails.ts';
import { meSessionRoutes } from './routes/me-sessions.ts';
import { signInRoutes } from './routes/sign-ins.ts';
import { signUpRoutes } from './routes/sign-ups.ts';
import type { Services } from './services.ts';

/** The path under the app's own origin that is proxied here (`proxyUrl` of the SDK). */
const proxyPrefix = '/__clerk';

/** The whole emulator as one Hono app; it answers with and without the proxy's prefix. */
export function createApp(services: Services, assetsDir: string): Hono<FapiEnv> {
  const app = new Hono<FapiEnv>({ getPath: (request) => canonical(getPath(request)) });
  app.onError(replyWithError);
  app.notFound((c) => replyWithError(failures.notFound(`${c.req.method} ${c.req.path}`), c));

  app.get('/.well-known/jwks.json', (c) => c.json(services.key.jwks));
  app.route('/npm/@clerk', assetRoutes(assetsDir));
  app.get('/pictures/:name', async (c) => {
    const picture = await services.pictures.read(c.req.param('name'));
    if (!picture) return c.text('No such picture.', 404);
    return c.body(picture.bytes, 200, { 'content-type': picture.type, 'cache-control': 'private, max-age=3600' });
  });

  // The SDK sends every change as POST and names the method it means in the query.
  app.use('/v1/*', methodOverride({ app, query: '_method' }));
  app.use('/v1/*', withRequest(services), async (c, next) => {
    c.header('Cache-Control', 'no-store');
    await next();
    // Persisted before the response, so that it survives a kill right after.
    await services.store.flush();
  });
  app.route('/v1', clientRoutes());
  app.route('/v1/client/sign_ins', signInRoutes());
  app.route('/v1/client/sign_ups', signUpRoutes());
  app.route('/v1/me', meRoutes());
  app.route('/v1/me/email_addresses', meEmailRoutes());
  app.route('/v1/me/sessions', meSessionRoutes());
  return app;
}

/** Without the proxy's prefix and without a final slash, which the SDK puts after some collections. */
function canonical(path: string): string {
  const inner = path.startsWith(`${proxyPrefix}/`) ? path.slice(proxyPrefix.length) : path;
  return inner.length > 1 && inner.endsWith('/') ? inner.slice(0, -1) : inner;
}
