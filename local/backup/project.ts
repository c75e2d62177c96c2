import { UserError } from '../process/user-error.ts';

/** Connection of backup and restore to a Supabase project. */
export interface Project {
  /** Connection string of the role postgres (Connect > Session pooler). */
  databaseUrl: string;
  supabaseUrl: string;
  secretKey: string;
}

/** A request to the project's storage API with the secret key. Throws for any answer but success. */
export async function askStorage(
  { supabaseUrl, secretKey }: Project,
  method: string,
  object: string,
  init: RequestInit = {},
): Promise<Response> {
  const path = object.split('/').map(encodeURIComponent).join('/');
  const response = await fetch(`${supabaseUrl}/storage/v1/object/${path}`, {
    method,
    ...init,
    headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, ...init.headers },
  });
  if (!response.ok) throw new UserError(`Storage answers ${response.status} to ${method} ${object}.`);
  return response;
}

/** Schemas with the product's rows. */
export const SCHEMAS = ['public', 'private'];
