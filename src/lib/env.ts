/** What the app is configured with; see `.env.example` for the meaning of each variable. */
export type Env = {
  VITE_SUPABASE_URL: string;
  VITE_SUPABASE_ANON_KEY: string;
  VITE_CLERK_PUBLISHABLE_KEY?: string;
  VITE_CLERK_PROXY_URL?: string;
  VITE_SITE_URL?: string;
  VITE_ANALYTICS_SRC?: string;
  VITE_LEGAL_NAME?: string;
  VITE_LEGAL_ADDRESS?: string;
  VITE_LEGAL_EMAIL?: string;
  VITE_REALTIME?: string;
  VITE_SENTRY_DSN?: string;
};

type Check = (value: string) => boolean;
/** An empty one counts as not set. */
const isText: Check = () => true;
const isUrl: Check = (value) => /^https?:\/\//.test(value) && URL.canParse(value);

/** Written by hand instead of with zod: these checks run before the first paint, which should not wait for a library. */
const checks: Readonly<Record<keyof Env, Check>> = {
  VITE_SUPABASE_URL: isUrl,
  VITE_SUPABASE_ANON_KEY: isText,
  VITE_CLERK_PUBLISHABLE_KEY: (value) => /^pk_(test|live)_/.test(value),
  VITE_CLERK_PROXY_URL: isText,
  VITE_SITE_URL: isUrl,
  VITE_ANALYTICS_SRC: isUrl,
  VITE_LEGAL_NAME: isText,
  VITE_LEGAL_ADDRESS: isText,
  VITE_LEGAL_EMAIL: (value) => /^[^@\s]+@[^@\s]+$/.test(value),
  VITE_REALTIME: (value) => value === 'on',
  VITE_SENTRY_DSN: (value) => /^https?:\/\/\w+@[^/\s]+\/\d+$/.test(value),
};
const required: ReadonlySet<string> = new Set(['VITE_SUPABASE_URL', 'VITE_SUPABASE_ANON_KEY']);

/** Thrown when a variable is missing or malformed; the message names every such variable. */
export class EnvError extends Error {
  override name = 'EnvError';
}

/** Validates raw variables. Throws EnvError naming those at fault. */
export function parseEnv(source: Record<string, unknown>): Env {
  const values: Partial<Record<keyof Env, string>> = {};
  const problems: string[] = [];
  for (const [name, isValid] of Object.entries(checks) as [keyof Env, Check][]) {
    const value = source[name];
    // `VAR=` in an env file gives an empty string; that means "not set" too.
    if (value === undefined || value === '') {
      if (required.has(name)) problems.push(`${name} is missing`);
    } else if (typeof value === 'string' && isValid(value)) values[name] = withoutSlashAtEnd(name, value);
    else problems.push(`${name} is not valid`);
  }
  if (isComplete(values) && problems.length === 0) return values;
  throw new EnvError(`Questboard is not configured: ${problems.join(', ')}. See .env.example.`);
}

/** Paths are appended to the URL, so a trailing slash would result in `//rest/v1`, which does not exist. */
const withoutSlashAtEnd = (name: string, value: string) => (name.endsWith('_URL') ? value.replace(/\/+$/, '') : value);

function isComplete(values: Partial<Env>): values is Env {
  return values.VITE_SUPABASE_URL !== undefined && values.VITE_SUPABASE_ANON_KEY !== undefined;
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
