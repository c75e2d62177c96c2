import { onlineManager } from '@tanstack/react-query';
import { unsentMessage } from '../errors';

/** Resolves to the session JWT, null when nobody is signed in. */
export type TokenSource = () => Promise<string | null>;

let source: TokenSource | null = null;

/** Set when the provider has loaded; null after it unmounts. */
export function setTokenSource(next: TokenSource | null): void {
  source = next;
}

/** Without a network, nothing is sent. Not `navigator.onLine`, which is false on some networks that work; this follows the events. */
export const hasNetwork = (): boolean => onlineManager.isOnline();

/**
 * The token to send with a request. Null until the provider has loaded: public reads must not wait for it, and guarded
 * screens are not rendered before. Rejects at once without a network, where the provider would try for 15 s.
 */
export async function getToken(): Promise<string | null> {
  if (!source) return null;
  if (!hasNetwork()) throw new TypeError(unsentMessage);
  return source();
}

/** Whether the app shows somebody as signed in. The provider ends a session a moment before the app hears of it. */
export const tokenExpectation = { isExpected: false };
