import { StorageClient } from '@supabase/storage-js';
import type { DatabaseConfig } from './config.ts';
import { DatabaseError, FunctionError } from './errors.ts';

/** Maximum number of files that the storage API lists or removes per call. */
const PAGE = 1_000;

/**
 * Removes everything in a person's folder of a bucket, through the storage API, because deleting the rows would leave
 * the bytes.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function removeFolder(config: DatabaseConfig, bucket: string, folder: string): Promise<void> {
  for (;;) {
    const found = await unwrap(filesOf(config, bucket).list(folder, { limit: PAGE }));
    // An entry without id is a folder; our buckets have no subfolders.
    const names = found.filter(({ id }) => id !== null).map(({ name }) => `${folder}/${name}`);
    if (names.length === 0) return;
    const removed = await removeFiles(config, bucket, names);
    if (removed === 0) throw new FunctionError('DATABASE_UNAVAILABLE', [], new Error('no file was removed'));
  }
}

/**
 * Removes up to 1,000 files of a bucket; resolves to how many existed.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function removeFiles(config: DatabaseConfig, bucket: string, paths: string[]): Promise<number> {
  return (await unwrap(filesOf(config, bucket).remove(paths))).length;
}

/**
 * A signed URL of a private file that is valid for so many seconds, without the host.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function signLink(config: DatabaseConfig, bucket: string, path: string, seconds: number): Promise<string> {
  const { signedUrl } = await unwrap(filesOf(config, bucket).createSignedUrl(path, seconds));
  const { pathname, search } = new URL(signedUrl);
  return pathname + search;
}

/**
 * A file's bytes.
 * @param eTag of the version that is meant: for a minute, the platform's CDN may answer with a former file of the same name.
 * @throws DatabaseError FILE_NOT_FOUND when the file has been removed; FunctionError DATABASE_UNAVAILABLE
 */
export async function download(
  config: DatabaseConfig,
  bucket: string,
  path: string,
  eTag?: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  let isGone = false;
  const meantOnly: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    // Read here, because the library keeps no more of a refused download than that it was refused.
    if (!response.ok) isGone = (await response.clone().text()).includes('Object not found');
    const served = response.headers.get('etag');
    if (!response.ok || !eTag || !served || isSameTag(served, eTag)) return response;
    await response.body?.cancel();
    throw new Error('a former version was served');
  };
  const files = filesOf(config, bucket, meantOnly);
  const file = await unwrap(files.download(path)).catch((error: unknown) => {
    throw isGone ? new DatabaseError('FILE_NOT_FOUND', 'File not found', 404) : error;
  });
  return new Uint8Array(await file.arrayBuffer());
}

const isSameTag = (one: string, other: string): boolean => bareTag(one) === bareTag(other);

/** Without quotes, and without the mark of a weak tag, into which proxies may turn a strong one. */
const bareTag = (tag: string): string => tag.replace(/^W\/|"/g, '');

/**
 * Uploads a file to a bucket, replacing one of the same name.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function upload(
  config: DatabaseConfig,
  bucket: string,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<void> {
  await unwrap(filesOf(config, bucket).upload(path, bytes, { contentType, upsert: true }));
}

function filesOf(
  { SUPABASE_URL, SUPABASE_SECRET_KEY: key, PROVIDER_TIMEOUT_MS }: DatabaseConfig,
  bucket: string,
  ask: typeof fetch = fetch,
) {
  const timed: typeof fetch = (input, init) =>
    ask(input, { ...init, signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS) });
  const headers = { apikey: key, authorization: `Bearer ${key}` };
  return new StorageClient(`${SUPABASE_URL}/storage/v1`, headers, timed).from(bucket);
}

async function unwrap<Data>(call: PromiseLike<{ data: Data; error: Error | null }>): Promise<NonNullable<Data>> {
  const { data, error } = await call;
  if (error || !data) throw new FunctionError('DATABASE_UNAVAILABLE', [], error);
  return data;
}
