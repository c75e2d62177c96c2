import { PostgrestClient } from '@supabase/postgrest-js';
import { z } from 'zod';
import type { Database } from '../../../src/types/database.ts';
import type { DatabaseConfig } from './config.ts';
import { DatabaseError, FunctionError } from './errors.ts';

/**
 * A business error of `private.raise_error` as PostgREST returns it: stable code in `hint`, sentence in `message`,
 * status in `code`. Any other error is internal and not shown to the caller.
 */
const refusal = z.object({ code: z.string().regex(/^PT4\d\d$/), hint: z.string(), message: z.string() });

/**
 * Error codes for characters that JSON allows and the database does not: Postgres's for `\u0000`; then, for half of a surrogate pair, which
 * is what cutting a text inside an emoji leaves, PostgREST's own and, behind its newer releases, Postgres's.
 */
const UNTRANSLATABLE_CHARACTERS = ['22P05', 'PGRST102', '22P02'];

type Procedures = Database['public']['Functions'];

/** Name of a procedure from the generated types, so that renaming one is a type error. */
export type Procedure = keyof Procedures & string;

/** Its arguments; any may be null, which the generated types leave out. */
export type Arguments<Name extends Procedure> = {
  [Key in keyof Procedures[Name]['Args']]: Procedures[Name]['Args'][Key] | null;
};

/**
 * Calls a stored procedure as the service role and validates its result with `result`.
 * @throws DatabaseError when the procedure refuses; FunctionError DATABASE_UNAVAILABLE when it could not be asked.
 */
export function callProcedure<Name extends Procedure, Schema extends z.ZodType>(
  config: DatabaseConfig,
  name: Name,
  args: Arguments<Name>,
  result: Schema,
): Promise<z.infer<Schema>> {
  const key = config.SUPABASE_SECRET_KEY;
  return call(config, { apikey: key, authorization: `Bearer ${key}` }, name, args, result, false);
}

/**
 * Calls a stored procedure with the token of the request, so that the database decides what the person may do.
 * @throws DatabaseError when the procedure refuses; FunctionError UNAUTHENTICATED when the database refuses the token, which may have
 * expired since it was verified here, DATABASE_UNAVAILABLE when it could not be asked.
 */
export function callAsCaller<Name extends Procedure, Schema extends z.ZodType>(
  config: DatabaseConfig,
  { headers }: Request,
  name: Name,
  args: Arguments<Name>,
  result: Schema,
): Promise<z.infer<Schema>> {
  const keys = { apikey: headers.get('apikey') ?? '', authorization: headers.get('authorization') ?? '' };
  return call(config, keys, name, args, result, true);
}

async function call<Schema extends z.ZodType>(
  { SUPABASE_URL, PROVIDER_TIMEOUT_MS }: DatabaseConfig,
  headers: Record<string, string>,
  name: Procedure,
  args: object,
  result: Schema,
  /** Whether the credentials come from the request. A refusal of our own means that something is misconfigured. */
  isCallers: boolean,
): Promise<z.infer<Schema>> {
  const client = new PostgrestClient(`${SUPABASE_URL}/rest/v1`, { headers, retry: false });
  const { data, error, status } = await client.rpc(name, args).abortSignal(AbortSignal.timeout(PROVIDER_TIMEOUT_MS));
  if (!error) return result.parse(data);
  const refused = refusal.safeParse(error);
  if (refused.success) throw new DatabaseError(refused.data.hint, refused.data.message, status);
  const cause = new Error(status ? `${name} answered ${status}` : error.message);
  if (UNTRANSLATABLE_CHARACTERS.includes(error.code)) throw new FunctionError('INVALID_INPUT', [], cause);
  if (status === 401 && isCallers) throw new FunctionError('UNAUTHENTICATED', [], cause);
  throw new FunctionError('DATABASE_UNAVAILABLE', [], cause);
}

/**
 * Takes one hit of a person from a sliding-window rate limit in the database, shared by all instances.
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
