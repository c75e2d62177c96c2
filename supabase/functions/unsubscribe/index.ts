/**
 * Unsubscribes by the link in mails (MAIL-02, C-50). Mail programs POST to it (RFC 8058 one-click); a GET redirects to
 * the page of the site, which asks for confirmation, so that a link scanner does not unsubscribe anyone.
 */
import { z } from 'zod';
import { databaseVariables, lazyConfig, siteVariables } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { serveFunction } from '../_shared/serve.ts';

const variables = databaseVariables.extend(siteVariables.shape);
type Config = z.infer<typeof variables>;

const token = z.string().min(1).max(1_000);

serveFunction({ name: 'unsubscribe', config: lazyConfig(variables), post: unsubscribe, get: openPage });

async function unsubscribe(request: Request, config: Config): Promise<Response> {
  await callProcedure(config, 'unsubscribe_from_mailing_list', { p_token: tokenOf(request) }, z.unknown());
  return Response.json({ ok: true });
}

async function openPage(request: Request, config: Config): Promise<Response> {
  const location = `${config.SITE_URL}/unsubscribe?token=${encodeURIComponent(tokenOf(request))}`;
  return new Response(null, { status: 303, headers: { location } });
}

function tokenOf(request: Request): string {
  const result = token.safeParse(new URL(request.url).searchParams.get('token'));
  if (!result.success) throw new FunctionError('INVALID_INPUT', ['token: missing']);
  return result.data;
}
