import type pg from 'pg';
import { ask, field } from '../process/ask.ts';
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
 * A request to the project's storage API with the secret key, and the body of its answer. Repeated when storage fails, is busy or breaks off,
 * because one lost answer among thousands of files would otherwise lose all of a backup. Throws for any other answer but success.
 */
export async function askStorage(
  { supabaseUrl, secretKey }: Project,
  method: string,
  object: string,
  init: RequestInit = {},
): Promise<Uint8Array> {
  const path = object.split('/').map(encodeURIComponent).join('/');
  const ask = async () => {
    const response = await fetch(`${supabaseUrl}/storage/v1/object/${path}`, {
      method,
      ...init,
      headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, ...init.headers },
    });
    return { status: response.status, isOk: response.ok, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  let answer = await ask().catch(() => null);
  for (const pause of pauses) {
    if (answer && answer.status < 500 && answer.status !== 429) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
    answer = await ask().catch(() => null);
  }
  if (!answer) throw new UserError(`Storage does not answer to ${method} ${object}.`);
  if (!answer.isOk) throw new UserError(`Storage answers ${answer.status} to ${method} ${object}.`);
  return answer.bytes;
}

/**
 * Throws unless address, secret key and connection string belong to one project. Where only some of them are changed, as before a restore,
 * files would be written over those of the other project.
 */
export async function verifyProject({ supabaseUrl, secretKey }: Project, client: pg.Client): Promise<void> {
  // Only the secret key may read the owner's address.
  const { status, body } = await ask(`${supabaseUrl}/rest/v1/app_settings?select=updated_at,owner_email`, {
    headers: { apikey: secretKey, authorization: `Bearer ${secretKey}` },
  });
  if (status === 0) throw new UserError(`Nobody answers at VITE_SUPABASE_URL, ${supabaseUrl}.`);
  if (status === 401 || status === 403)
    throw new UserError(`SUPABASE_SECRET_KEY is not the secret key of ${supabaseUrl}.`);
  const [settings] = Array.isArray(body) ? body : [];
  if (!settings) throw new UserError(`${supabaseUrl} answers ${status}: ${field(body, 'message')}`);
  // To the microsecond; in a new project it is when the migrations were applied.
  const { rowCount } = await client.query('select from public.app_settings where updated_at = $1', [
    settings.updated_at,
  ]);
  if (rowCount !== 1) throw new UserError('DATABASE_URL and VITE_SUPABASE_URL are those of two projects.');
}

/** Schemas with the product's rows. */
export const SCHEMAS = ['public', 'private'];
