import { UserError } from '../process/user-error.ts';

/** Connection of backup and restore to a Supabase project. */
export interface Project {
  /** Connection string of the role postgres (Connect > Session pooler). */
  databaseUrl: string;
  supabaseUrl: string;
  secretKey: string;
}

/** Milliseconds before a request is repeated. */
const pauses = [1_000, 5_000, 15_000];

/**
 * A request to the project's storage API with the secret key. Repeated when storage fails or is busy, because one lost answer among
 * thousands of files would otherwise lose all of a backup. Throws for any other answer but success.
 */
export async function askStorage(
  { supabaseUrl, secretKey }: Project,
  method: string,
  object: string,
  init: RequestInit = {},
): Promise<Response> {
  const path = object.split('/').map(encodeURIComponent).join('/');
  const ask = () =>
    fetch(`${supabaseUrl}/storage/v1/object/${path}`, {
      method,
      ...init,
      headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, ...init.headers },
    });
  let response = await ask().catch(() => null);
  for (const pause of pauses) {
    if (response && response.status < 500 && response.status !== 429) break;
    await response?.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, pause));
    response = await ask().catch(() => null);
  }
  if (!response) throw new UserError(`Storage does not answer to ${method} ${object}.`);
  if (!response.ok) throw new UserError(`Storage answers ${response.status} to ${method} ${object}.`);
  return response;
}

/** Schemas with the product's rows. */
export const SCHEMAS = ['public', 'private'];
