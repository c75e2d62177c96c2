/**
 * Receives Clerk's events. Only `user.deleted` matters: the person's files are removed and the account is anonymised,
 * the ledger stays. An event that could not be handled is answered with an error and comes again; repeats do nothing.
 */
import { z } from 'zod';
import { parseJson, readText } from '../_shared/body.ts';
import { callProcedure } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';
import { serveFunction } from '../_shared/serve.ts';
import { verifySignature } from '../_shared/signature.ts';
import { removeFolder } from '../_shared/storage.ts';
import { type ClerkWebhookConfig, clerkWebhookConfig } from './config.ts';

const MAX_BODY_BYTES = 256 * 1024;

const event = z.object({ type: z.string(), data: z.object({ id: z.string().min(1).max(255).optional() }) });

serveFunction({ name: 'clerk-webhook', config: clerkWebhookConfig, post: receive });

async function receive(request: Request, config: ClerkWebhookConfig): Promise<Response> {
  const body = await readText(request, MAX_BODY_BYTES);
  verifySignature(request.headers, 'svix', body, config.CLERK_WEBHOOK_SECRET);
  const received = event.safeParse(parseJson(body));
  if (!received.success) throw new FunctionError('INVALID_INPUT');

  const { type, data } = received.data;
  const deletedId = type === 'user.deleted' ? data.id : undefined;
  if (deletedId) await erase(deletedId, config);
  const outcome = deletedId ? 'erased' : 'ignored';
  log('info', 'clerk_event', { eventId: request.headers.get('svix-id'), type, outcome });
  return Response.json({ received: true, outcome });
}

/** Rows first: whoever still holds a session can then do nothing with a file that comes after. */
async function erase(userId: string, config: ClerkWebhookConfig): Promise<void> {
  await callProcedure(config, 'anonymise_user', { p_user_id: userId }, z.unknown());
  for (const bucket of ['proofs', 'project-logos']) await removeFolder(config, bucket, userId);
}
