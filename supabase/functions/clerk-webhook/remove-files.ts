import { z } from 'zod';
import type { DatabaseConfig } from '../_shared/config.ts';
import { FunctionError } from '../_shared/errors.ts';

/** As many as the storage API lists, and removes, in one call. */
const PAGE = 1_000;

const listing = z.array(z.object({ name: z.string(), id: z.string().nullable() }));

/**
 * Removes everything in a person's folder of a bucket. Files can only go through the storage API: deleting their rows
 * would leave the bytes.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function removeFiles(config: DatabaseConfig, bucket: string, folder: string): Promise<void> {
  for (;;) {
    const found = listing.parse(await ask(config, 'POST', `list/${bucket}`, { prefix: folder, limit: PAGE }));
    // An entry without id is a folder; ours hold files alone.
    const names = found.filter(({ id }) => id !== null).map(({ name }) => `${folder}/${name}`);
    if (names.length === 0) return;
    const removed = z.array(z.unknown()).parse(await ask(config, 'DELETE', bucket, { prefixes: names }));
    if (removed.length === 0) throw new FunctionError('DATABASE_UNAVAILABLE', [], new Error('no file was removed'));
  }
}

async function ask(config: DatabaseConfig, method: string, path: string, body: unknown): Promise<unknown> {
  try {
    const response = await fetch(`${config.SUPABASE_URL}/storage/v1/object/${path}`, {
      method,
      headers: {
        apikey: config.SUPABASE_SECRET_KEY,
        authorization: `Bearer ${config.SUPABASE_SECRET_KEY}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(config.PROVIDER_TIMEOUT_MS),
    });
    if (response.ok) return await response.json();
    throw new Error(`storage answered ${response.status}`);
  } catch (error) {
    throw new FunctionError('DATABASE_UNAVAILABLE', [], error);
  }
}
