import { z } from 'zod';
import type { DatabaseConfig } from './config.ts';
import { FunctionError } from './errors.ts';

/** As many as the storage API lists, and removes, in one call. */
const PAGE = 1_000;

const listing = z.array(z.object({ name: z.string(), id: z.string().nullable() }));

/**
 * Removes everything in a person's folder of a bucket. Files can only go through the storage API: deleting their rows
 * would leave the bytes.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function removeFolder(config: DatabaseConfig, bucket: string, folder: string): Promise<void> {
  for (;;) {
    const found = listing.parse(await ask(config, 'POST', `list/${bucket}`, { prefix: folder, limit: PAGE }));
    // An entry without id is a folder; ours hold files alone.
    const names = found.filter(({ id }) => id !== null).map(({ name }) => `${folder}/${name}`);
    if (names.length === 0) return;
    const removed = await removeFiles(config, bucket, names);
    if (removed === 0) throw new FunctionError('DATABASE_UNAVAILABLE', [], new Error('no file was removed'));
  }
}

/**
 * Removes up to 1,000 files of a bucket and says how many were there.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function removeFiles(config: DatabaseConfig, bucket: string, paths: readonly string[]): Promise<number> {
  return z.array(z.unknown()).parse(await ask(config, 'DELETE', bucket, { prefixes: paths })).length;
}

/**
 * A link that opens a private file without a session for so many seconds.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function signLink(config: DatabaseConfig, object: string, seconds: number): Promise<string> {
  const answer = await ask(config, 'POST', `sign/${encodePath(object)}`, { expiresIn: seconds });
  const { signedURL } = z.object({ signedURL: z.string().startsWith('/object/sign/') }).parse(answer);
  return `/storage/v1${signedURL}`;
}

/**
 * A file's bytes, whatever bucket it is in.
 * @param object `bucket/path`
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function download(config: DatabaseConfig, object: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await send(config, 'GET', encodePath(object));
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new FunctionError('DATABASE_UNAVAILABLE', [], error);
  }
}

async function ask(config: DatabaseConfig, method: string, path: string, body: unknown): Promise<unknown> {
  try {
    const response = await send(config, method, path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch (error) {
    throw new FunctionError('DATABASE_UNAVAILABLE', [], error);
  }
}

async function send(config: DatabaseConfig, method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${config.SUPABASE_URL}/storage/v1/object/${path}`, {
    method,
    ...init,
    headers: {
      apikey: config.SUPABASE_SECRET_KEY,
      authorization: `Bearer ${config.SUPABASE_SECRET_KEY}`,
      ...init.headers,
    },
    signal: AbortSignal.timeout(config.PROVIDER_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`storage answered ${response.status}`);
  return response;
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
