import { PostgrestClient } from '@supabase/postgrest-js';
import type { StorageClient } from '@supabase/storage-js';
import type { Database } from '@/types/database';
import { authorizedFetch } from './authorized-fetch';
import { getEnv } from './env';
import { toAppError } from './errors';

let database: PostgrestClient<Database> | undefined;
let lasting: PostgrestClient<Database> | undefined;
let files: StorageClient | undefined;

/**
 * A body that should be there and is empty, as from a proxy in between, is no answer. The client would take it for `null`, and a 404 without
 * one for success.
 */
const answeredFetch: typeof fetch = async (input, init) => {
  const response = await authorizedFetch(input, init);
  const hasBody = init?.method !== 'HEAD' && (response.status === 200 || response.status === 404);
  return hasBody && (await response.clone().text()) === '' ? new Response(null, { status: 502 }) : response;
};

/**
 * PostgREST client with the signed-in user's token, or anonymous: the part of supabase-js that this app uses, without
 * the 45 KB of the rest. For queries.ts and mutations.ts only; created on first use, so that a missing variable is
 * shown rather than breaking the import. Does not retry, which is up to lib/query-client.ts.
 */
export function supabase(): PostgrestClient<Database> {
  const url = `${getEnv().VITE_SUPABASE_URL}/rest/v1`;
  database ??= new PostgrestClient<Database>(url, { fetch: answeredFetch, retry: false });
  return database;
}

/**
 * The same with `keepalive`, for calls that must complete while the page is being left. Browsers limit these to 64 KB
 * in total, so for small requests only.
 */
export function keepaliveClient(): PostgrestClient<Database> {
  const url = `${getEnv().VITE_SUPABASE_URL}/rest/v1`;
  const keepalive: typeof fetch = (input, init) => answeredFetch(input, { ...init, keepalive: true });
  lasting ??= new PostgrestClient<Database>(url, { fetch: keepalive, retry: false });
  return lasting;
}

/** Storage client with the same token. Lazy-loaded, because most visits never upload. */
export async function storage(): Promise<StorageClient> {
  const { StorageClient } = await import('@supabase/storage-js');
  files ??= new StorageClient(`${getEnv().VITE_SUPABASE_URL}/storage/v1`, {}, authorizedFetch);
  return files;
}

/** Escapes a text for LIKE and ILIKE. PostgREST reads `*` as `%`, for which there is no escape. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

type Answer = { data: unknown; error: object | null; status?: number };
type Success<Result extends Answer> = Extract<Result, { error: null }>;

function isSuccess<Result extends Answer>(answer: Result): answer is Success<Result> {
  return answer.error === null;
}

/** The call, ended by the signal of a query; without one outside of queries. */
export function withSignal<Call extends { abortSignal: (signal: AbortSignal) => Call }>(
  call: Call,
  signal?: AbortSignal,
) {
  return signal ? call.abortSignal(signal) : call;
}

/** Awaits a supabase-js call and returns its data; throws AppError on an error. */
export async function unwrap<Result extends Answer>(call: PromiseLike<Result>): Promise<Success<Result>['data']> {
  const answer = await call.then(
    (value) => value,
    (reason: unknown): never => {
      throw toAppError(reason);
    },
  );
  if (isSuccess(answer)) return answer.data;
  throw toAppError(answer.error, answer.status);
}

/**
 * Calls a read procedure, with `readTables` as fallback when the database does not have it yet (DB-28). Only for reads:
 * a missing write must fail.
 */
export async function readWithFallback<Data>(call: Promise<Data>, readTables: () => Promise<Data>): Promise<Data> {
  try {
    return await call;
  } catch (error) {
    const { code, status } = toAppError(error);
    // An existing procedure that finds nothing also returns 404, but with its own code.
    if (status === 404 && code === 'NOT_FOUND') return readTables();
    throw error;
  }
}
