import { getToken, tokenExpectation } from './auth/token';
import { getEnv } from './env';
import { toAppError } from './errors';

/**
 * fetch for the platform's endpoints, with the project's key and the session token. A publishable key is not a token and must not be
 * sent as one, so without a session there is no Authorization header and the database sees an anonymous visitor. Reuses the
 * responses to requests that index.html has already sent.
 */
export const authorizedFetch: typeof fetch = async (input, init) => {
  const isRead = (init?.method ?? 'GET') === 'GET';
  const early = isRead && typeof input === 'string' ? await takeEarlyAnswer(input) : null;
  if (early) return early;
  const headers = new Headers(init?.headers);
  const token = await getToken();
  // As a visitor's, the request of a session that has just ended would be refused, or bring less, which would pass for the person's data.
  if (!token && tokenExpectation.isExpected) return new Response(null, { status: 401 });
  headers.set('apikey', getEnv().VITE_SUPABASE_ANON_KEY);
  if (token) headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(input, { ...init, headers });
  if (response.status < 500 && response.status !== 429) return response;
  // The details are optional: if they cannot be added, the response is returned as it is.
  return import('./failure-details').then(({ withDetails }) => withDetails(response.clone())).catch(() => response);
};

declare global {
  interface Window {
    /** Responses to the requests that index.html has sent, by URL; null if one failed or was empty. */
    earlyAnswers?: Map<string, Promise<Response | null>>;
  }
}

/** How long such a response counts as fresh, in milliseconds; the same as staleTime in lib/query-client.ts. */
const freshMs = 30_000;

/**
 * The response to a request that was sent before the app's scripts had loaded; each is returned once. Null if there was no such
 * request, or if it failed or is too old: then the caller has to send it.
 */
async function takeEarlyAnswer(url: string): Promise<Response | null> {
  const answers = typeof window === 'undefined' ? undefined : window.earlyAnswers;
  const answer = answers?.get(url);
  if (!answer) return null;
  answers?.delete(url);
  return performance.now() < freshMs ? answer : null;
}

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
