import { Hono } from 'hono';
import {
  callingOrigin,
  ensureClient,
  type FapiEnv,
  reply,
  serializeClientFor,
  serializeSessionFor,
  sessionById,
} from '../context.ts';
import { environment } from '../environment.ts';
import { randomId } from '../ids.ts';
import { serializePublicUser, serializeUser } from '../serializers.ts';
import { sessionToken } from '../services.ts';

/** The browser and its sessions: `/v1/environment`, `/v1/client`, `/v1/client/sessions`. */
export function clientRoutes() {
  const routes = new Hono<FapiEnv>();

  routes.on(['GET', 'PATCH'], '/environment', (c) => c.json(environment));

  // With a development key the SDK wants a "dev browser" id for hosts that cannot share cookies. Ours can, so the id is
  // meaningless: the HttpOnly cookie alone identifies the browser.
  routes.post('/dev_browser', (c) => {
    const id = randomId('dvb');
    return c.json({ object: 'dev_browser', id, token: id });
  });

  routes.get('/client', async (c) => {
    const client = c.get('client');
    return c.json({ response: client ? await serializeClientFor(c, client) : null, client: null });
  });

  routes.on(['PUT', 'POST'], '/client', async (c) => reply(c, await serializeClientFor(c, ensureClient(c))));

  routes.delete('/client/sessions', async (c) => {
    const client = ensureClient(c);
    const { store, attempts } = c.get('services');
    client.sessions = [];
    attempts.clear(client);
    store.changed();
    return reply(c, await serializeClientFor(c, client));
  });

  routes.post('/client/sessions/:id/touch', async (c) => {
    const { session, user } = sessionById(c, c.req.param('id'));
    session.lastActiveAt = Date.now();
    c.get('services').store.changed();
    return reply(c, await serializeSessionFor(c, session, user));
  });

  routes.post('/client/sessions/:id/tokens', async (c) => {
    const { session, user } = sessionById(c, c.req.param('id'));
    return c.json({ object: 'token', jwt: await sessionToken(c.get('services'), session, user, callingOrigin(c)) });
  });

  routes.post('/client/sessions/:id/remove', (c) => {
    const { session, user } = sessionById(c, c.req.param('id'));
    c.get('services').store.endSessions((other) => other.id === session.id);
    return reply(c, {
      object: 'session',
      id: session.id,
      status: 'removed',
      user: serializeUser(user),
      public_user_data: serializePublicUser(user),
    });
  });

  return routes;
}
