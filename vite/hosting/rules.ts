import { API_ROUTES } from './api-routes.ts';
import { type BuildEnv, contentSecurityPolicy } from './policy.ts';

/** Headers and rewrites of a static host, independent of its format. A path may end in `*`. */
export interface HostRules {
  headers: { path: string; values: Record<string, string> }[];
  /** Rewrites (proxied): path of the site to external URL. */
  proxies: { path: string; target: string }[];
}

const TWO_YEARS = 63_072_000;
const YEAR = 31_536_000;

/** @param html the built page, whose inline script is allowed by its hash. */
export function hostRules(env: BuildEnv, html: string): HostRules {
  const project = env.VITE_SUPABASE_URL?.replace(/\/+$/, '');
  return {
    headers: [
      {
        path: '/*',
        values: {
          'Content-Security-Policy': contentSecurityPolicy(env, html),
          'Strict-Transport-Security': `max-age=${TWO_YEARS}; includeSubDomains`,
          'X-Content-Type-Options': 'nosniff',
          'Referrer-Policy': 'strict-origin-when-cross-origin',
          'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
          // Social sign-in may open a popup and needs its messages.
          'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
        },
      },
      // File names contain a content hash.
      { path: '/assets/*', values: { 'Cache-Control': `public, max-age=${YEAR}, immutable` } },
      // Revalidated each time, so that a new version arrives immediately. Not on "/*", because hosts merge overlapping
      // rules.
      { path: '/', values: { 'Cache-Control': 'no-cache' } },
      { path: '/index.html', values: { 'Cache-Control': 'no-cache' } },
      { path: '/service-worker.js', values: { 'Cache-Control': 'no-cache' } },
    ],
    // Without a project there is no target; the page then says what is not configured.
    proxies: project
      ? Object.entries(API_ROUTES).map(([path, name]) => ({ path, target: `${project}/functions/v1/${name}` }))
      : [],
  };
}
