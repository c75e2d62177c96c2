import * as z from 'zod/mini';

const url = z.url({ protocol: /^https?$/ });
const text = z.string().check(z.minLength(1));
const envSchema = z.object({
  VITE_SUPABASE_URL: url,
  VITE_SUPABASE_ANON_KEY: text,
  VITE_CLERK_PUBLISHABLE_KEY: z.optional(text.check(z.regex(/^pk_(test|live)_/))),
  VITE_CLERK_PROXY_URL: z.optional(text),
  VITE_SITE_URL: z.optional(url),
  VITE_ANALYTICS_SRC: z.optional(url),
});

/** What the app is configured with; see `.env.example` for the meaning of each variable. */
export type Env = z.infer<typeof envSchema>;

/** Thrown when a variable is missing or malformed; the message names every such variable. */
export class EnvError extends Error {
  override name = 'EnvError';
}

/** Validates raw variables. Throws EnvError naming those at fault. */
export function parseEnv(source: Record<string, unknown>): Env {
  // `VAR=` in an env file gives an empty string; that means "not set" too.
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = z.safeParse(envSchema, set);
  if (result.success) return result.data;
  const names = [...new Set(result.error.issues.map((issue) => String(issue.path[0])))];
  const describe = (name: string) => `${name} ${source[name] ? 'is not valid' : 'is missing'}`;
  throw new EnvError(`Questboard is not configured: ${names.map(describe).join(', ')}. See .env.example.`);
}

let cached: Env | undefined;

/** The validated environment of this build. Throws EnvError at the first use, not at import. */
export function getEnv(): Env {
  cached ??= parseEnv(import.meta.env);
  return cached;
}

/** False when no identity provider is configured: only the public pages work then (ROUTE-17). */
export function isAuthConfigured(): boolean {
  return getEnv().VITE_CLERK_PUBLISHABLE_KEY !== undefined;
}
