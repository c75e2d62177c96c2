import { getToken, tokenExpectation } from './auth/token';
import { getEnv } from './env';
import { toAppError } from './errors';

/** Endpoints that may take longer than the database's 8 s: functions, and the procedures with a `statement_timeout` of their own. */
const slowEndpoint = /\/functions\/|\/api\/|\/rpc\/(export_data|reconcile_ledger)$/;

/**
 * How long to wait for an answer in seconds, null without limit: a file takes as long as its connection needs. Otherwise the longest that
 * the server may take (10 s for a connection to the database, and the statement), plus the network.
 */
function secondsToAnswer(address: string): number | null {
  if (address.includes('/storage/v1/')) return null;
  return slowEndpoint.test(address) ? 75 : 25;
}

/**
 * fetch that fails as without a network when there is no answer in time. When a phone changes its network, its connections end without a
 * word, and a browser goes on waiting for minutes.
 */
const fetchInTime: typeof fetch = (input, init) => {
  const seconds = secondsToAnswer(`${input}`);
  if (seconds === null) return fetch(input, init);
  const ended = new AbortController();
  const end = (reason: unknown) => ended.abort(reason);
  init?.signal?.throwIfAborted();
  init?.signal?.addEventListener('abort', () => end(init.signal?.reason), { once: true });
  setTimeout(end, seconds * 1000, new TypeError('Failed to fetch (no answer)'));
  return fetch(input, { ...init, signal: ended.signal });
};

/**
 * fetch for the platform's endpoints, with the project's key and the session token. A publishable key is not a token and must not be
 * sent as one, so without a session there is no Authorization header and the database sees an anonymous visitor. Reuses the
 * responses to requests that index.html has already sent, and waits for an answer for a limited time.
 */
export const authorizedFetch: typeof fetch = async (input, init) => {
  const isRead = (init?.method ?? 'GET') === 'GET';
  const early = isRead && typeof input === 'string' ? await takeEarlyResponse(input) : null;
  if (early) return early;
  const headers = new Headers(init?.headers);
  const token = await getToken();
  // The session has just ended. Sent anonymously, the request would be refused, or return fewer rows that pass for the person's data.
  if (!token && tokenExpectation.isExpected) return new Response(null, { status: 401 });
  headers.set('apikey', getEnv().VITE_SUPABASE_ANON_KEY);
  if (token) headers.set('authorization', `Bearer ${token}`);
  const response = await fetchInTime(input, { ...init, headers });
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

/** Until when, in milliseconds since the page was opened, such a response counts as fresh; the same as staleTime in lib/query-client.ts. */
const freshMs = 30_000;

/**
 * The response to a request that was sent before the app's scripts had loaded; each is returned once. Null if there was no such
 * request, or if it failed, is too old or has had no answer for as long: then the caller has to send it.
 */
async function takeEarlyResponse(url: string): Promise<Response | null> {
  const answers = typeof window === 'undefined' ? undefined : window.earlyAnswers;
  const answer = answers?.get(url);
  if (!answer) return null;
  answers?.delete(url);
  const remaining = freshMs - performance.now();
  if (remaining <= 0) return null;
  return Promise.race([answer, new Promise<null>((resolve) => setTimeout(resolve, remaining, null))]);
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
