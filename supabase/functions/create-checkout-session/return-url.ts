import { FunctionError } from '../_shared/errors.ts';

/**
 * Absolute address to which the payment page leads back. A path is taken on the site; anything that leads off the
 * given origins is refused, so that a payment link cannot send people to a stranger's page (C-19).
 * @throws FunctionError FOREIGN_URL
 */
export function sameSiteUrl(value: string, siteUrl: string, origins: readonly string[]): string {
  const url = URL.parse(value, siteUrl);
  if (!url || !origins.includes(url.origin) || url.username || url.password) throw new FunctionError('FOREIGN_URL');
  return url.href;
}
