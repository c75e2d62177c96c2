import type { SiteConfig } from './config.ts';
import { FunctionError } from './errors.ts';

const ALLOWED_HEADERS = 'authorization, apikey, content-type, idempotency-key, x-client-info';

/** Origins of the product's own pages: the site itself and the configured others. */
export function siteOrigins(config: SiteConfig): string[] {
  return [new URL(config.SITE_URL).origin, ...config.ALLOWED_ORIGINS];
}

/**
 * CORS headers for a request of a page, none for a server's (which sends no Origin).
 * @throws FunctionError ORIGIN_NOT_ALLOWED for a page of another site.
 */
export function corsHeaders(request: Request, config: SiteConfig): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null) return {};
  if (!siteOrigins(config).includes(origin)) throw new FunctionError('ORIGIN_NOT_ALLOWED');
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '600',
    vary: 'Origin',
  };
}
