import { z } from 'zod';
import type { DatabaseConfig } from './config.ts';
import { DatabaseError, FunctionError } from './errors.ts';

/**
 * What `private.raise_error` raises, as PostgREST passes it on: stable code in `hint`, sentence in `message`, status in
 * `code`. Any other error is the database's own and none of the caller's business.
 */
const refusal = z.object({ code: z.string().regex(/^PT4\d\d$/), hint: z.string(), message: z.string() });

/**
 * Calls a stored procedure as the service role.
 * @throws DatabaseError when the procedure refuses; FunctionError DATABASE_UNAVAILABLE when it could not be asked.
 */
export async function callProcedure<Schema extends z.ZodType>(
  config: DatabaseConfig,
  name: string,
  args: Record<string, unknown>,
  result: Schema,
): Promise<z.infer<Schema>> {
  return callRpc(config, name, args, result, {});
}

async function callRpc<Schema extends z.ZodType>(
  config: DatabaseConfig,
  name: string,
  args: Record<string, unknown>,
  result: Schema,
  headers: Record<string, string>,
): Promise<z.infer<Schema>> {
  const init = { method: 'POST', body: JSON.stringify(args), headers };
  const { status, body } = await askDatabase(config, `rpc/${name}`, init);
  if (status < 300) return result.parse(body);
  const refused = refusal.safeParse(body);
  if (refused.success) throw new DatabaseError(refused.data.hint, refused.data.message, status);
  throw new FunctionError('DATABASE_UNAVAILABLE', [], new Error(`${name} answered ${status}`));
}

/**
 * Calls a stored procedure as the person who sent the request, with the keys that the request carries: what they may do
 * is then the database's decision, as everywhere.
 * @throws DatabaseError when the procedure refuses; FunctionError DATABASE_UNAVAILABLE when it could not be asked.
 */
export async function callAsCaller<Schema extends z.ZodType>(
  config: DatabaseConfig,
  request: Request,
  name: string,
  args: Record<string, unknown>,
  result: Schema,
): Promise<z.infer<Schema>> {
  const headers = {
    apikey: request.headers.get('apikey') ?? '',
    authorization: request.headers.get('authorization') ?? '',
  };
  return callRpc(config, name, args, result, headers);
}

async function askDatabase(config: DatabaseConfig, path: string, init: RequestInit) {
  try {
    const response = await fetch(`${config.SUPABASE_URL}/rest/v1/${path}`, {
      ...init,
      headers: {
        apikey: config.SUPABASE_SECRET_KEY,
        authorization: `Bearer ${config.SUPABASE_SECRET_KEY}`,
        'content-type': 'application/json',
        ...init.headers,
      },
      signal: AbortSignal.timeout(config.PROVIDER_TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text ? (JSON.parse(text) as unknown) : null };
  } catch (error) {
    throw new FunctionError('DATABASE_UNAVAILABLE', [], error);
  }
}

/**
 * Takes one request of a person from a sliding window that the database keeps for all instances.
 * @throws FunctionError RATE_LIMITED
 */
export async function limitRate(
  config: DatabaseConfig,
  subject: string,
  action: string,
  limit: number,
  windowSeconds: number,
): Promise<void> {
  const args = { p_subject: subject, p_action: action, p_limit: limit, p_window_seconds: windowSeconds };
  const isFree = await callProcedure(config, 'take_rate_limit', args, z.boolean());
  if (!isFree) throw new FunctionError('RATE_LIMITED');
}
