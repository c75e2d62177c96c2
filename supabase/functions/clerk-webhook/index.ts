/**
 * Receives Clerk's events. `user.deleted`: the person's files are removed and the account is anonymised, the ledger
 * stays. `user.updated`: mails go to the new verified address from now on (C-65), not only after the next visit;
 * picture and connected accounts are kept (C-108), which `user.created` brings too; who has lost the admin's role there
 * counts as admin no longer (TRUST-19). An event that could not be read or handled is answered with an error and delivered
 * again; handling is idempotent.
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

const id = z.string().min(1).max(255);
/** Postgres and ISO 8601 agree on years of four digits only; beyond the largest Date a number is no time at all. */
const LATEST = Date.UTC(9999, 11, 31);
/** Milliseconds since 1970, as an ISO timestamp. */
const moment = z
  .number()
  .min(0)
  .max(LATEST)
  .transform((milliseconds) => new Date(milliseconds).toISOString());
const deletedUser = z.object({ type: z.literal('user.deleted'), data: z.object({ id }) });
const updatedUser = z.object({
  type: z.literal('user.updated'),
  data: z.object({
    id,
    updated_at: moment,
    primary_email_address_id: z.string().nullish(),
    email_addresses: z
      .array(
        z.object({
          id: z.string(),
          email_address: z.string().max(254),
          verification: z.object({ status: z.string() }).nullable(),
        }),
      )
      .default([]),
  }),
});
/** Clerk generates initials for people without a picture, which are ignored. */
const reportedUser = z.object({
  type: z.enum(['user.created', 'user.updated']),
  data: z.object({
    id,
    updated_at: moment,
    has_image: z.boolean().default(false),
    image_url: z.string().max(2000).nullish(),
    external_accounts: z
      .array(
        z.object({
          provider: z.string().max(80),
          username: z.string().max(200).nullish(),
          verification: z.object({ status: z.string() }).nullish(),
        }),
      )
      .default([]),
    public_metadata: z.object({ role: z.unknown().optional() }).nullish(),
  }),
});
const event = z.looseObject({ type: z.string(), data: z.unknown() });
type Outcome = 'erased' | 'address_changed' | 'saved' | 'ignored';

serveFunction({ name: 'clerk-webhook', config: clerkWebhookConfig, post: receive });

async function receive(request: Request, config: ClerkWebhookConfig): Promise<Response> {
  const body = await readText(request, MAX_BODY_BYTES);
  verifySignature(request.headers, 'svix', body, config.CLERK_WEBHOOK_SECRET);
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
  const isChanged = updated.success && (await changeAddress(updated.data.data, config));
  const reported = reportedUser.safeParse(received);
  const isSaved = reported.success && (await saveAccount(reported.data.data, config));
  // After a success nobody would learn that a person was not erased, or that an address is no longer followed.
  const needed = new Map([
    ['user.deleted', [deleted]],
    ['user.created', [reported]],
    ['user.updated', [updated, reported]],
  ]);
  if (needed.get(received.type)?.some(({ success }) => !success)) throw new FunctionError('INVALID_INPUT');
  return isChanged ? 'address_changed' : isSaved ? 'saved' : 'ignored';
}

/**
 * Returns whether picture, accounts or the admin's role changed. Somebody who has never signed in has no profile yet and gets them with
 * the next event.
 */
async function saveAccount(user: z.infer<typeof reportedUser>['data'], config: ClerkWebhookConfig): Promise<boolean> {
  const verified = user.external_accounts.filter(({ verification }) => verification?.status === 'verified');
  const args = {
    p_user_id: user.id,
    p_avatar_url: user.has_image ? (user.image_url ?? null) : null,
    p_accounts: Object.fromEntries(
      verified.map(({ provider, username }) => [provider.replace(/^oauth_/, ''), username ?? '']),
    ),
    p_changed_at: user.updated_at,
    p_is_admin: user.public_metadata ? user.public_metadata.role === 'admin' : null,
  };
  return await callProcedure(config, 'save_provider_account', args, z.boolean());
}

/** Returns whether the verified primary address changed. */
async function changeAddress(user: z.infer<typeof updatedUser>['data'], config: ClerkWebhookConfig): Promise<boolean> {
  const primary = user.email_addresses.find((address) => address.id === user.primary_email_address_id);
  if (primary?.verification?.status !== 'verified') return false;
  const args = { p_user_id: user.id, p_email: primary.email_address, p_changed_at: user.updated_at };
  return await callProcedure(config, 'record_changed_email', args, z.boolean());
}

/** Rows first, so that somebody with a remaining session cannot use a file uploaded afterwards. */
async function erase(userId: string, config: ClerkWebhookConfig): Promise<void> {
  await callProcedure(config, 'anonymise_user', { p_user_id: userId }, z.unknown());
  for (const bucket of ['proofs', 'project-logos']) await removeFolder(config, bucket, userId);
}
