/**
 * Receives browsers' CSP reports (TRUST-24) and counts them for the admin's system status. Anybody can send them, so
 * they are limited in size and per IP address, and only origins and routes are stored. Answers 204.
 */
import { z } from 'zod';
import { readJson } from '../_shared/body.ts';
import { databaseVariables, lazyConfig, siteVariables } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { serveFunction } from '../_shared/serve.ts';
import { refusalOf, reportInput } from './input.ts';

const MAX_BODY_BYTES = 16 * 1024;

const variables = databaseVariables.extend(siteVariables.shape);
type Config = z.infer<typeof variables>;

serveFunction({ name: 'csp-report', config: lazyConfig(variables), post: record });

async function record(request: Request, config: Config): Promise<Response> {
  const refusal = refusalOf(await readJson(request, reportInput, MAX_BODY_BYTES));
  if (refusal) {
    const args = {
      p_address: await addressOf(request, config),
      p_directive: refusal.directive,
      p_blocked: refusal.blocked,
      p_page: refusal.page,
    };
    await callProcedure(config, 'record_csp_report', args, z.boolean());
  }
  return new Response(null, { status: 204 });
}

/** The caller's address. Which header can be trusted is known to the database; credentials and cookies are none of them. */
function addressOf({ headers }: Request, config: Config): Promise<string | null> {
  const sent = [...headers].filter(([name]) => !['apikey', 'authorization', 'cookie'].includes(name));
  return callProcedure(config, 'get_caller_address', { p_headers: Object.fromEntries(sent) }, z.string().nullable());
}
