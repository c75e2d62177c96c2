import type { SiteConfig } from './config.ts';
import { FunctionError } from './errors.ts';

const ALLOWED_HEADERS = 'authorization, apikey, content-type, idempotency-key, x-client-info';

/**
 * Whether this origin is the site or one of the other configured ones, where `*` stands for letters, digits and
 * hyphens, as in preview URLs.
 */
export function isSiteOrigin(origin: string, config: SiteConfig): boolean {
  return [new URL(config.SITE_URL).origin, ...config.ALLOWED_ORIGINS].some((own) => {
    const pattern = own.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[a-z0-9-]+');
    return new RegExp(`^${pattern}$`).test(origin);
  });
}

/**
 * CORS headers for a browser's request; none for a server's, which sends no Origin.
 * @throws FunctionError ORIGIN_NOT_ALLOWED for a page of another site.
 */
export function corsHeaders(request: Request, config: SiteConfig): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null) return {};
  if (!isSiteOrigin(origin, config)) throw new FunctionError('ORIGIN_NOT_ALLOWED');
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-expose-headers': 'x-request-id',
    'access-control-max-age': '600',
    vary: 'Origin',
  };
}
