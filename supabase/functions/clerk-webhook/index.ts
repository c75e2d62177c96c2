/**
 * Receives Clerk's events. `user.deleted`: the person's files are removed and the account is anonymised, the ledger stays.
 * `user.updated`: mails go to the new verified address from now on (C-65), not only after the next visit. An event that
 * could not be handled is answered with an error and comes again; repeats do nothing.
 */
import { z } from 'zod';
import { parseJson, readText } from '../_shared/body.ts';
import { callProcedure } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';
import { serveFunction } from '../_shared/serve.ts';
import { removeFolder } from '../_shared/storage.ts';
import { type ClerkWebhookConfig, clerkWebhookConfig } from './config.ts';
import { verifySignature } from './signature.ts';

const MAX_BODY_BYTES = 256 * 1024;

const id = z.string().min(1).max(255);
const deletedUser = z.object({ type: z.literal('user.deleted'), data: z.object({ id }) });
const updatedUser = z.object({
  type: z.literal('user.updated'),
  data: z.object({
    id,
    /** Milliseconds since 1970. */
    updated_at: z.number(),
    primary_email_address_id: z.string().nullable(),
    email_addresses: z.array(
      z.object({
        id: z.string(),
        email_address: z.string().max(254),
        verification: z.object({ status: z.string() }).nullable(),
      }),
    ),
  }),
});
const event = z.looseObject({ type: z.string(), data: z.unknown() });
type Outcome = 'erased' | 'address_changed' | 'ignored';

serveFunction({ name: 'clerk-webhook', config: clerkWebhookConfig, post: receive });

async function receive(request: Request, config: ClerkWebhookConfig): Promise<Response> {
  const body = await readText(request, MAX_BODY_BYTES);
  verifySignature(request.headers, body, config.CLERK_WEBHOOK_SECRET);
  const received = event.safeParse(parseJson(body));
  if (!received.success) throw new FunctionError('INVALID_INPUT');

  const outcome = await handle(received.data, config);
  log('info', 'clerk_event', { eventId: request.headers.get('svix-id'), type: received.data.type, outcome });
  return Response.json({ received: true, outcome });
}

async function handle(received: z.infer<typeof event>, config: ClerkWebhookConfig): Promise<Outcome> {
  const deleted = deletedUser.safeParse(received);
  if (deleted.success) {
    await erase(deleted.data.data.id, config);
    return 'erased';
  }
  const updated = updatedUser.safeParse(received);
  return updated.success && (await changeAddress(updated.data.data, config)) ? 'address_changed' : 'ignored';
}

/** Says whether the person has another verified primary address than the one that is known. */
async function changeAddress(user: z.infer<typeof updatedUser>['data'], config: ClerkWebhookConfig): Promise<boolean> {
  const primary = user.email_addresses.find((address) => address.id === user.primary_email_address_id);
  if (primary?.verification?.status !== 'verified') return false;
  const changedAt = new Date(user.updated_at).toISOString();
  const args = { p_user_id: user.id, p_email: primary.email_address, p_changed_at: changedAt };
  return await callProcedure(config, 'record_changed_email', args, z.boolean());
}

/** Rows first: whoever still holds a session can then do nothing with a file that comes after. */
async function erase(userId: string, config: ClerkWebhookConfig): Promise<void> {
  await callProcedure(config, 'anonymise_user', { p_user_id: userId }, z.unknown());
  for (const bucket of ['proofs', 'project-logos']) await removeFolder(config, bucket, userId);
}
