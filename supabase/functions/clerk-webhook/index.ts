/**
 * Receives Clerk's events. `user.deleted`: the person's files are removed and the account is anonymised, the ledger stays.
 * `user.created` and `user.updated`: the picture and the connected accounts are kept (C-108). An event that could not be handled is
 * answered with an error and comes again; repeats do nothing.
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

const event = z.object({ type: z.string(), data: z.object({ id: z.string().min(1).max(255).optional() }).loose() });

/** What is read of an account. Clerk draws initials for people without a picture; those are no picture. */
const account = z.object({
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
});

serveFunction({ name: 'clerk-webhook', config: clerkWebhookConfig, post: receive });

async function receive(request: Request, config: ClerkWebhookConfig): Promise<Response> {
  const body = await readText(request, MAX_BODY_BYTES);
  verifySignature(request.headers, body, config.CLERK_WEBHOOK_SECRET);
  const received = event.safeParse(parseJson(body));
  if (!received.success) throw new FunctionError('INVALID_INPUT');

  const { type, data } = received.data;
  const outcome = await handle(type, data, config);
  log('info', 'clerk_event', { eventId: request.headers.get('svix-id'), type, outcome });
  return Response.json({ received: true, outcome });
}

async function handle(type: string, data: z.infer<typeof event>['data'], config: ClerkWebhookConfig): Promise<string> {
  if (data.id && type === 'user.deleted') {
    await erase(data.id, config);
    return 'erased';
  }
  if (data.id && (type === 'user.created' || type === 'user.updated')) {
    const reported = account.safeParse(data);
    if (!reported.success) throw new FunctionError('INVALID_INPUT');
    await save(data.id, reported.data, config);
    return 'saved';
  }
  return 'ignored';
}

/** Somebody who has not signed in yet has no profile; their picture comes with the next change, and until then with their session. */
async function save(userId: string, reported: z.infer<typeof account>, config: ClerkWebhookConfig): Promise<void> {
  const verified = reported.external_accounts.filter(({ verification }) => verification?.status === 'verified');
  const p_accounts = Object.fromEntries(
    verified.map(({ provider, username }) => [provider.replace(/^oauth_/, ''), username ?? '']),
  );
  const p_avatar_url = reported.has_image ? (reported.image_url ?? null) : null;
  await callProcedure(config, 'save_provider_account', { p_user_id: userId, p_avatar_url, p_accounts }, z.unknown());
}

/** Rows first: whoever still holds a session can then do nothing with a file that comes after. */
async function erase(userId: string, config: ClerkWebhookConfig): Promise<void> {
  await callProcedure(config, 'anonymise_user', { p_user_id: userId }, z.unknown());
  for (const bucket of ['proofs', 'project-logos']) await removeFolder(config, bucket, userId);
}
