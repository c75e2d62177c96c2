/**
 * Every variable that an edge function may read. Deno refuses the functions any other, so a secret of the machine
 * cannot leak into them; hosted Supabase sets the same names with `supabase secrets set`.
 */
export const FUNCTION_VARIABLES = [
  'SUPABASE_URL',
  'SUPABASE_SECRET_KEY',
  'SUPABASE_SECRET_KEYS',
  'SUPABASE_SERVICE_ROLE_KEY',
  'CLERK_ISSUER',
  'CLERK_JWKS_URL',
  'CLERK_AUDIENCE',
  'CLERK_WEBHOOK_SECRET',
  'CRON_SECRET',
  'SITE_URL',
  'ALLOWED_ORIGINS',
  'RESEND_API_KEY',
  'RESEND_API_URL',
  'MAIL_FROM',
  'STRIPE_SECRET_KEY',
  'STRIPE_API_URL',
  'STRIPE_AUTOMATIC_TAX',
  'STRIPE_WEBHOOK_SECRET',
  'PROVIDER_TIMEOUT_MS',
  'GITHUB_API_URL',
  'GITHUB_TOKEN',
  'DEMO_PROJECT_URL',
  'SENTRY_DSN',
] as const;

export type FunctionsEnvironment = Partial<Record<(typeof FUNCTION_VARIABLES)[number], string>>;

/** `host:port` of every URL among the values: the only places besides loopback that a function may connect to. */
export function reachableHosts(environment: FunctionsEnvironment): string[] {
  const hosts = Object.entries(environment)
    .filter(([name, value]) => /_(URL|DSN)$/.test(name) && value)
    .map(([, value]) => new URL(value).host);
  return [...new Set(hosts)];
}
