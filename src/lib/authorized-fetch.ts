import { getToken } from './auth/token';
import { takeEarlyAnswer } from './early-answers';
import { getEnv } from './env';

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
  headers.set('apikey', getEnv().VITE_SUPABASE_ANON_KEY);
  if (token) headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(input, { ...init, headers });
  if (response.status < 500 && response.status !== 429) return response;
  // The details are optional: if they cannot be added, the response is returned as it is.
  return import('./failure-details').then(({ withDetails }) => withDetails(response.clone())).catch(() => response);
};
