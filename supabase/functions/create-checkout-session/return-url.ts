import type { SiteConfig } from '../_shared/config.ts';
import { isSiteOrigin } from '../_shared/cors.ts';
import { FunctionError } from '../_shared/errors.ts';

/**
 * Absolute return URL of the payment page. A path is resolved on the site; URLs on foreign origins are refused, so that
 * a payment link is not an open redirect (C-19).
 * @throws FunctionError FOREIGN_URL
 */
export function sameSiteUrl(value: string, config: SiteConfig): string {
  const url = URL.parse(value, config.SITE_URL);
  // The origin alone also fits a blob: URL of the site and a URL with credentials.
  if (!url?.href.startsWith(`${url.origin}/`) || !isSiteOrigin(url.origin, config))
    throw new FunctionError('FOREIGN_URL');
  return url.href;
}
