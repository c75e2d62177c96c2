import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { isPublishableKey } from '../../vite/hosting/policy.ts';

/** The env files, later files first: `.env.example` and `supabase/functions/.env.example` explain each variable. */
export const SETTINGS_FILES = ['.env.local', '.env', 'supabase/functions/.env'];

/** Without trailing slashes, like the app and the functions. */
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
const key = z.string().min(1);
const named = (pattern: RegExp, example: string) => z.string().regex(pattern, `does not look like ${example}`);
/** Sentry DSN: a public key before the host, the number of the project after it. */
const dsn = named(/^https?:\/\/\w+@[^/\s]+\/\d+$/, 'https://KEY@o1.ingest.sentry.io/1');
/** One secret, or the new and the old one during rotation. */
const secrets = (pattern: RegExp, example: string) =>
  z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .pipe(z.tuple([named(pattern, example)], named(pattern, example)));

/** Every variable of a deployment. Only the doctor's own are optional: without them some checks are skipped. */
export const settingsSchema = z.object({
  VITE_SUPABASE_URL: url,
  VITE_SUPABASE_ANON_KEY: key,
  VITE_CLERK_PUBLISHABLE_KEY: z.string().refine(isPublishableKey, 'does not look like pk_live_…, or is cut short'),
  VITE_SITE_URL: url.optional(),
  VITE_ANALYTICS_SRC: url.optional(),
  VITE_REALTIME: z.literal('on').optional(),
  VITE_SENTRY_DSN: dsn.optional(),

  /** Required by supabase/config.toml. */
  CLERK_DOMAIN: key.optional(),

  SITE_URL: url,
  CLERK_ISSUER: url,
  CLERK_JWKS_URL: url.optional(),
  CLERK_WEBHOOK_SECRET: secrets(/^whsec_[A-Za-z0-9+/]+=*$/, 'whsec_…'),
  CRON_SECRET: secrets(/^.{24,}$/, '24 or more random characters'),
  RESEND_API_KEY: named(/^re_/, 're_…'),
  RESEND_API_URL: url.optional(),
  MAIL_FROM: named(/^(.+ <\S+@\S+>|\S+@\S+)$/, 'Questboard <hello@example.com>'),
  STRIPE_SECRET_KEY: named(/^(sk|rk)_(test|live)_/, 'sk_live_…'),
  STRIPE_WEBHOOK_SECRET: secrets(/^whsec_/, 'whsec_…'),
  STRIPE_API_URL: url.optional(),
  SENTRY_DSN: dsn.optional(),
  STRIPE_AUTOMATIC_TAX: z.enum(['true', 'false']).optional(),

  GITHUB_API_URL: url.optional(),
  GITHUB_TOKEN: key.optional(),
  /** The embedded stack's demo project: a deployment that sets it sends checks of tasks to that address. */
  DEMO_PROJECT_URL: z.undefined('belongs to the embedded stack alone: remove it').optional(),

  /** Secret key of the project, to inspect the database. */
  SUPABASE_SECRET_KEY: key.optional(),
  /** A session token of a signed-in user. */
  DOCTOR_SESSION_TOKEN: key.optional(),
});

export type Settings = z.infer<typeof settingsSchema>;
/** Settings, of which some are known to be usable. */
export type SettingsWith<Name extends keyof Settings> = Partial<Settings> & Pick<Settings, Name>;
type RawSettings = Record<string, string | undefined>;

/** Placeholders of the example files. */
const isExample = (value = '') => ['…', 'YOUR-PROJECT', 'questboard.example'].some((part) => value.includes(part));

/**
 * The variables of the env files below a directory; the environment takes precedence. An empty value counts as missing,
 * and so does the example's.
 */
export function readSettings(directory: string, environment: RawSettings): RawSettings {
  const files = SETTINGS_FILES.map((name) => join(directory, name)).filter(existsSync);
  const fromFiles = files.reverse().map((path) => parseEnv(readFileSync(path, 'utf8')));
  const all: RawSettings = Object.assign({}, ...fromFiles, environment);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '' && !isExample(value)));
}
