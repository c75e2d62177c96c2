/**
 * Whether the provider's cookies say that somebody is signed in in this browser: `__session` has the token, `__client_uat` the time of the
 * last change, 0 while nobody is signed in. Their names may end with the instance's suffix. Only the provider knows whether the session still
 * holds.
 */
export function hasSessionCookie(): boolean {
  return document.cookie
    .split('; ')
    .some((cookie) => /^__(session|client_uat)(_\w+)?=./.test(cookie) && !cookie.endsWith('=0'));
}
