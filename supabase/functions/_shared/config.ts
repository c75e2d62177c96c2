import { z } from 'zod';
import { FunctionError } from './errors.ts';

const origin = z.url({ protocol: /^https?$/ }).transform((value) => new URL(value).origin);
const baseUrl = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
const required = z.string().min(1);

/** One secret, or during rotation the new and the old one, separated by a comma: both are accepted. */
const secrets = (secret = required) =>
  z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .pipe(z.array(secret).min(1));

/** Groups of variables; a function reads the groups that it needs. docs/deploy.md explains each variable. */
export const databaseVariables = z.object({
  SUPABASE_URL: baseUrl,
  /** The secret key. Hosted functions find it in SUPABASE_SECRET_KEYS or SUPABASE_SERVICE_ROLE_KEY instead. */
  SUPABASE_SECRET_KEY: required,
  /**
   * The platform's secret keys by name, as JSON. Servers may call with any of them, including one that is being
   * rotated.
   */
  SUPABASE_SECRET_KEYS: z
    .string()
    .optional()
    .transform((text) => Object.values(namedKeys(text))),
  /** Timeout for calls to the database or a provider, in milliseconds. */
  PROVIDER_TIMEOUT_MS: z.coerce.number().int().min(50).max(60_000).default(8_000),
});

export const siteVariables = z.object({
  /** URL of the app, for links in mails and return URLs of payments. */
  SITE_URL: baseUrl,
  /** Further allowed origins, separated by commas, for example previews: `https://questboard-*-team.vercel.app`. */
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin.refine((value) => !/[/.]\*([.:]|$)/.test(value), 'a * needs letters beside it'))),
});

export const identityVariables = z.object({
  CLERK_ISSUER: baseUrl,
  CLERK_JWKS_URL: z.url().optional(),
  /** Expected audience, if the session token has one. */
  CLERK_AUDIENCE: z.string().min(1).optional(),
});

export const identityWebhookVariables = z.object({
  /** Signing secrets of the Clerk endpoint: `whsec_` and base64. */
  CLERK_WEBHOOK_SECRET: secrets(z.string().regex(/^whsec_[A-Za-z0-9+/]+=*$/)),
});

export const scheduleVariables = z.object({
  /** Secret with which the scheduler calls the workers. Valid for nothing else. */
  CRON_SECRET: secrets(z.string().min(24, 'must have at least 24 characters')),
});

export const mailVariables = z.object({
  RESEND_API_KEY: required,
  RESEND_API_URL: baseUrl.default('https://api.resend.com'),
  MAIL_FROM: required,
});

export const stripeVariables = z.object({
  STRIPE_SECRET_KEY: required,
  STRIPE_API_URL: baseUrl.default('https://api.stripe.com'),
});

export const taxVariables = z.object({
  /** "true": Stripe computes and adds tax, which has to be set up in its dashboard first. */
  STRIPE_AUTOMATIC_TAX: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
});

export const webhookVariables = z.object({ STRIPE_WEBHOOK_SECRET: secrets() });

export type DatabaseConfig = z.infer<typeof databaseVariables>;
export type SiteConfig = z.infer<typeof siteVariables>;
export type IdentityConfig = z.infer<typeof identityVariables>;
export type MailConfig = z.infer<typeof mailVariables>;
export type StripeConfig = z.infer<typeof stripeVariables>;
export type ScheduleConfig = z.infer<typeof scheduleVariables>;

/** Tells this installation from another one that uses the same account at a provider. */
export const installationOf = ({ SUPABASE_URL }: DatabaseConfig): string => new URL(SUPABASE_URL).host;

/**
 * Reads and checks the environment once, at the first request.
 * @throws FunctionError NOT_CONFIGURED, naming each missing or wrong variable (never its value).
 */
export function lazyConfig<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  let config: z.infer<z.ZodObject<Shape>> | undefined;
  return () => {
    config ??= readConfig(schema);
    return config;
  };
}

function readConfig<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const values = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, variable(name)]));
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path[0]?.toString()}: ${issue.message}`);
  throw new FunctionError('NOT_CONFIGURED', problems);
}

function variable(name: string): string | undefined {
  return Deno.env.get(name) || (name === 'SUPABASE_SECRET_KEY' ? platformKey() : undefined);
}

/** The hosted platform provides its keys: the current ones as JSON by name, the legacy one as plain text. */
function platformKey(): string | undefined {
  return namedKeys(Deno.env.get('SUPABASE_SECRET_KEYS')).default ?? Deno.env.get('SUPABASE_SERVICE_ROLE_KEY');
}

function namedKeys(text = ''): Record<string, string> {
  try {
    return z.record(z.string(), z.string()).catch({}).parse(JSON.parse(text));
  } catch {
    return {};
  }
}
