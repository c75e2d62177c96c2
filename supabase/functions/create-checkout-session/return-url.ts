import type { SiteConfig } from '../_shared/config.ts';
import { isSiteOrigin } from '../_shared/cors.ts';
import { FunctionError } from '../_shared/errors.ts';

/**
 * Absolute address to which the payment page leads back. A path is taken on the site; anything that leads off the
 * product's own origins is refused, so that a payment link cannot send people to a stranger's page (C-19).
 * @throws FunctionError FOREIGN_URL
 */
export function sameSiteUrl(value: string, config: SiteConfig): string {
  const url = URL.parse(value, config.SITE_URL);
  if (!url || !isSiteOrigin(url.origin, config) || url.username || url.password) throw new FunctionError('FOREIGN_URL');
  return url.href;
}
