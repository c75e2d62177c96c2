/** Gives the session JWT, null when nobody is signed in. `isFresh` skips the cache (after the role changed). */
export type TokenSource = (options?: { isFresh?: boolean }) => Promise<string | null>;

let source: TokenSource | null = null;

/** Set by the provider once it has loaded; null again when it is gone. */
export function setTokenSource(next: TokenSource | null): void {
  source = next;
}

/**
 * The token to send with a request. Until the provider has loaded there is none: public reads must not wait for it, and
 * guarded screens are not shown before it has.
 */
export async function getToken(options?: { isFresh?: boolean }): Promise<string | null> {
  return source ? source(options) : null;
}
