import { authorizedFetch } from './authorized-fetch';
import { getEnv } from './env';
import { toAppError } from './errors';

/** Calls one of our edge functions as the signed-in user and resolves to its JSON response. Throws AppError. */
export async function callFunction(name: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
  const address = `${getEnv().VITE_SUPABASE_URL}/functions/v1/${name}`;
  const headers = { 'content-type': 'application/json' };
  const call = authorizedFetch(address, { method: 'POST', headers, body: JSON.stringify(body), signal });
  const response = await call.catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : toAppError(error);
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toAppError(answer ?? { message: '' }, response.status);
  return answer;
}
