import { Hono } from 'hono';
import { currentSession, type FapiEnv, reply, serializeSessionFor } from '../context.ts';
import { failures } from '../errors.ts';
import type { Session } from '../model.ts';

/** "Active devices" of the account page: `/v1/me/sessions`. */
export function meSessionRoutes() {
  const routes = new Hono<FapiEnv>();

  routes.get('/active', async (c) => {
    const { user } = currentSession(c);
    const sessions = c.get('services').store.sessionsOf(user);
    return c.json(
      await Promise.all(
        sessions.map(async (session) => ({
          ...(await serializeSessionFor(c, session, user)),
          // Never returns the token of another browser's session.
          last_active_token: null,
          latest_activity: activity(session),
        })),
      ),
    );
  });

  routes.post('/:id/revoke', (c) => {
    const { user } = currentSession(c);
    const { store } = c.get('services');
    const revoked = store.sessionsOf(user).find((session) => session.id === c.req.param('id'));
    if (!revoked) throw failures.notFound('The session');
    store.endSessions((session) => session.id === revoked.id);
    return reply(c, { object: 'session', id: revoked.id, status: 'revoked', latest_activity: activity(revoked) });
  });

  return routes;
}

function activity({ id, userAgent }: Session) {
  const [, browser = 'Browser', version = ''] = /(Firefox|Edg|Chrome|Safari)\/(\d+)/.exec(userAgent) ?? [];
  const [, system = 'Local device'] = /(Windows|Macintosh|Android|iPhone|Linux)/.exec(userAgent) ?? [];
  return {
    object: 'session_activity',
    id: `sess_activity_${id}`,
    browser_name: browser,
    browser_version: version,
    device_type: system,
    ip_address: '127.0.0.1',
    city: null,
    country: 'local',
    is_mobile: /Android|iPhone/.test(userAgent),
  };
}
