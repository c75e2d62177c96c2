import { getToken } from './auth/token';
import { getEnv } from './env';

/**
 * fetch for the platform's endpoints: the project's key, and the session token of whoever is signed in. A publishable key
 * is no token and must not be sent as one; without a session there is no Authorization and the database sees an anonymous
 * visitor.
 */
export const authorizedFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  const token = await getToken();
  headers.set('apikey', getEnv().VITE_SUPABASE_ANON_KEY);
  if (token) headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(input, { ...init, headers });
  if (response.status < 500 && response.status !== 429) return response;
  // The details are an extra: where they cannot be added, the server's own answer still has to arrive.
  return import('./failure-details').then(({ withDetails }) => withDetails(response.clone())).catch(() => response);
};
