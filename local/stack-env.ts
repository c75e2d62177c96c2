import { randomBytes } from 'node:crypto';
import {
  CLERK_PROXY_URL,
  CLERK_PUBLISHABLE_KEY,
  CLERK_WEBHOOK_SECRET,
  IDENTITY_ISSUER,
  STRIPE_WEBHOOK_SECRET,
} from './constants.ts';
import { databaseUrl } from './database/connection.ts';
import type { StackEnv } from './env.ts';
import type { FunctionsEnvironment } from './functions/environment.ts';
import { ANON_KEY, newSecretKey } from './gateway/keys.ts';
import type { Ports } from './process/ports.ts';

const url = (port: number): string => `http://127.0.0.1:${port}`;

/** Where everything will be, known as soon as the ports are chosen. */
export const stackEnv = (ports: Ports, identityDirectory: string): StackEnv => ({
  SUPABASE_URL: url(ports.gateway),
  SUPABASE_ANON_KEY: ANON_KEY,
  SUPABASE_SECRET_KEY: newSecretKey(),
  CRON_SECRET: randomBytes(24).toString('base64url'),
  DATABASE_URL: databaseUrl('postgres', ports.database),
  ADMIN_DATABASE_URL: databaseUrl('supabase_admin', ports.database),
  IDENTITY_URL: url(ports.identity),
  IDENTITY_ISSUER,
  IDENTITY_DIRECTORY: identityDirectory,
  CLERK_PUBLISHABLE_KEY,
  CLERK_PROXY_URL,
  MAIL_URL: url(ports.mail),
  STRIPE_URL: url(ports.stripe),
  APP_URL: url(ports.app),
});

/** Where the app may be opened in a browser. QUESTBOARD_ALLOWED_ORIGINS adds others, separated by commas. */
export const ownOrigins = (env: StackEnv): string[] => [
  env.APP_URL,
  env.APP_URL.replace('127.0.0.1', 'localhost'),
  ...(process.env.QUESTBOARD_ALLOWED_ORIGINS?.split(',').filter(Boolean) ?? []),
];

/** The same variables that `supabase secrets set` gives the functions of a hosted project, pointed at the emulators. */
export const functionsEnv = (env: StackEnv): FunctionsEnvironment => ({
  SUPABASE_URL: env.SUPABASE_URL,
  SUPABASE_SECRET_KEY: env.SUPABASE_SECRET_KEY,
  CRON_SECRET: env.CRON_SECRET,
  CLERK_ISSUER: env.IDENTITY_ISSUER,
  CLERK_JWKS_URL: `${env.IDENTITY_URL}/.well-known/jwks.json`,
  CLERK_WEBHOOK_SECRET,
  SITE_URL: env.APP_URL,
  ALLOWED_ORIGINS: ownOrigins(env).join(),
  RESEND_API_KEY: 're_local',
  RESEND_API_URL: env.MAIL_URL,
  MAIL_FROM: 'Questboard <no-reply@questboard.local>',
  STRIPE_SECRET_KEY: 'sk_test_local',
  STRIPE_API_URL: env.STRIPE_URL,
  STRIPE_WEBHOOK_SECRET,
  DEMO_PROJECT_URL: env.SUPABASE_URL,
});
