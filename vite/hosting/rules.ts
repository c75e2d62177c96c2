import { API_ROUTES } from './api-routes.ts';
import { type BuildEnv, contentSecurityPolicy } from './policy.ts';

/** What a static host has to do for the app, in no host's own language. A path may end in `*`. */
export interface HostRules {
  headers: { path: string; values: Record<string, string> }[];
  /** Path of the site to address elsewhere, answered as if it were here. */
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
          // Sign-in with another provider may open a window and has to hear from it.
          'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
        },
      },
      // Names hold a hash of the content.
      { path: '/assets/*', values: { 'Cache-Control': `public, max-age=${YEAR}, immutable` } },
      // Asked for again each time, so that a new version arrives at once. Not on "/*": hosts join rules that overlap.
      { path: '/', values: { 'Cache-Control': 'no-cache' } },
      { path: '/index.html', values: { 'Cache-Control': 'no-cache' } },
      { path: '/service-worker.js', values: { 'Cache-Control': 'no-cache' } },
    ],
    // Without a project there is nowhere to lead; the page then says what is not configured.
    proxies: project
      ? Object.entries(API_ROUTES).map(([path, name]) => ({ path, target: `${project}/functions/v1/${name}` }))
      : [],
  };
}
