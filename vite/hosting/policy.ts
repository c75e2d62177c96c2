import { createHash } from 'node:crypto';

/** The build variables that determine the hosts in the policy; see `.env.example`. */
export type BuildEnv = Record<string, string | undefined>;

/**
 * The hosts that Clerk uses to check suspicious sign-ups, by directive: Protect for newer applications (its challenges use other ports),
 * Turnstile for older ones. Clerk publishes the list in its guide to content security policies; without these, people behind a VPN cannot
 * sign up.
 */
const CLERK_CHALLENGES = {
  'script-src': ['https://challenges.cloudflare.com', 'https://*.protect.clerk.com'],
  'connect-src': ['https://*.protect.clerk.com:*'],
  'frame-src': ['https://challenges.cloudflare.com', 'https://*.protect.clerk.com'],
} as const;

/**
 * Content security policy of the built app. Scripts come only from the site, the identity provider and the analytics
 * service; of inline scripts only those of `html` run, by their hashes.
 */
export function contentSecurityPolicy(env: BuildEnv, html: string): string {
  const supabase = originOf(env.VITE_SUPABASE_URL);
  const realtime = env.VITE_REALTIME ? (supabase?.replace(/^http/, 'ws') ?? null) : null;
  const analytics = originOf(env.VITE_ANALYTICS_SRC);
  const errors = originOf(env.VITE_SENTRY_DSN);
  const clerk = clerkOrigin(env);
  const challenges = (directive: keyof typeof CLERK_CHALLENGES) => (clerk ? CLERK_CHALLENGES[directive] : []);
  const directives: Record<string, (string | null)[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...inlineScriptHashes(html), clerk, ...challenges('script-src'), analytics],
    // Clerk's form injects its styles at run time, and its scripts assign markup without Trusted Types: neither can be forbidden until
    // Clerk supports it (docs/decisions/0025-files-and-what-they-show.md).
    'style-src': ["'self'", "'unsafe-inline'"],
    // Our own bucket and the identity provider's pictures of people: any other host would learn who views the picture (C-101).
    'img-src': ["'self'", 'data:', 'blob:', supabase, clerk, ...(clerk ? ['https://img.clerk.com'] : [])],
    'font-src': ["'self'", 'data:'],
    // Pictures chosen for upload are read from blob addresses.
    'connect-src': ["'self'", 'blob:', supabase, realtime, clerk, ...challenges('connect-src'), analytics, errors],
    'frame-src': clerk ? [...CLERK_CHALLENGES['frame-src']] : ["'none'"],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    // Not report-to, which many browsers do not support, and whose presence makes the others ignore this.
    ...(supabase && { 'report-uri': [`${supabase}/functions/v1/csp-report`] }),
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources.filter((source) => source !== null))].join(' ')}`)
    .join('; ');
}

/** CSP hashes of the inline scripts. */
function inlineScriptHashes(html: string): string[] {
  const scripts = html.matchAll(/<script>([\s\S]*?)<\/script>/g);
  return [...scripts].map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}

/** The instance's host, encoded in the publishable key; null if it is proxied through the site or not used at all. */
function clerkOrigin({ VITE_CLERK_PUBLISHABLE_KEY: key, VITE_CLERK_PROXY_URL: proxy }: BuildEnv): string | null {
  return key && !proxy ? `https://${clerkHost(key)}` : null;
}

/** A publishable key is `pk_live_` and, in base64, the host of the instance's Frontend API followed by `$`. */
export function clerkHost(publishableKey: string): string {
  const encoded = publishableKey.replace(/^pk_(test|live)_/, '');
  return Buffer.from(encoded, 'base64').toString().replace(/\$$/, '');
}

/** Whether a publishable key is whole: a shortened one decodes to something else than a host. */
export function isPublishableKey(key: string): boolean {
  return /^pk_(test|live)_/.test(key) && /^[a-z0-9.-]+$/i.test(clerkHost(key));
}

function originOf(url: string | undefined): string | null {
  return url ? new URL(url).origin : null;
}
