import { Hono } from 'hono';
import { z } from 'zod';
import type { Identity } from './identity/index.ts';

const tokenRequestSchema = z.object({ email: z.email(), ttlSeconds: z.int().min(1) });

/** Path at which `npm run token` asks the running stack for a session token. */
export const TOKEN_PATH = '/local/token';

/**
 * The identity emulator plus an endpoint for `npm run token`. The endpoint requires the secret key in a header, which
 * no web page can send here, and Vite only proxies `/__clerk`.
 */
export function createIdentityServer(identity: Identity, secretKey: string): Hono {
  const app = new Hono();
  app.post(TOKEN_PATH, async (context) => {
    if (context.req.header('authorization') !== `Bearer ${secretKey}`) return context.text('Not allowed', 403);
    const order = tokenRequestSchema.safeParse(await context.req.json().catch(() => null));
    if (!order.success) return context.text('That is not an e-mail address.', 400);
    const { email, ttlSeconds } = order.data;
    const user = identity.users.find(email) ?? (await identity.users.create({ email }));
    return context.text(await identity.mintToken(user, { ttlSeconds }));
  });
  app.all('*', ({ req: { raw: request } }) => identity.app.fetch(request));
  return app;
}
