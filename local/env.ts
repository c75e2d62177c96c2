import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** How to reach a stack. Written as KEY=value lines to `.local/env`, printed by `npm run stack`, read by the tests. */
export const stackEnvSchema = z.object({
  /** The gateway: /rest/v1, /storage/v1, /functions/v1 and /api. */
  SUPABASE_URL: z.url(),
  /** Publishable key, used by browsers. */
  SUPABASE_ANON_KEY: z.string(),
  /** Secret key: acts as service_role. */
  SUPABASE_SECRET_KEY: z.string(),
  /** The secret with which the schedule calls the workers among the functions. */
  CRON_SECRET: z.string(),
  /** Role postgres, which owns the schema and is not a superuser, as on the hosted platform. */
  DATABASE_URL: z.string(),
  /** The cluster's superuser; exists locally only. */
  ADMIN_DATABASE_URL: z.string(),
  /** The Clerk Frontend-API emulator. */
  IDENTITY_URL: z.url(),
  /** The `iss` claim of its tokens. */
  IDENTITY_ISSUER: z.string(),
  /** Path of its signing key, so that tests can sign tokens. */
  IDENTITY_DIRECTORY: z.string(),
  CLERK_PUBLISHABLE_KEY: z.string(),
  /** Path below the app's own origin by which the browser reaches the emulator. */
  CLERK_PROXY_URL: z.string(),
  /** The Resend emulator; its page `/inbox` shows every mail. */
  MAIL_URL: z.url(),
  /** The Stripe emulator. */
  STRIPE_URL: z.url(),
  /** URL at which the app is or will be served. */
  APP_URL: z.url(),
});

export type StackEnv = z.infer<typeof stackEnvSchema>;

export const formatEnv = (env: StackEnv): string =>
  Object.entries(env)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');

/** Writes `<directory>/env` and returns its path. Readable by the owner alone: it holds the secret key. */
export function writeEnvFile(directory: string, env: StackEnv): string {
  const path = join(directory, 'env');
  writeFileSync(path, formatEnv(env), { mode: 0o600 });
  chmodSync(path, 0o600);
  return path;
}

/** Reads an env file. Throws when a key is missing. */
export function readEnvFile(path: string): StackEnv {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return stackEnvSchema.parse(
    Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])),
  );
}

/** What Vite hands to the app, and where it proxies `/api` and `/__clerk`. */
export const viteEnv = (env: StackEnv): Record<string, string> => ({
  VITE_SUPABASE_URL: env.SUPABASE_URL,
  VITE_SUPABASE_ANON_KEY: env.SUPABASE_ANON_KEY,
  VITE_CLERK_PUBLISHABLE_KEY: env.CLERK_PUBLISHABLE_KEY,
  VITE_CLERK_PROXY_URL: env.CLERK_PROXY_URL,
  VITE_REALTIME: 'on',
  QUESTBOARD_GATEWAY_URL: env.SUPABASE_URL,
  QUESTBOARD_IDENTITY_URL: env.IDENTITY_URL,
});
