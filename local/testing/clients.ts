import { randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { JWTPayload } from 'jose';
import pg from 'pg';
import type { Database } from '../../src/types/database.ts';
import { type StackEnv, stackEnvSchema } from '../env.ts';
import { loadSigningKey } from '../identity/keys.ts';
import { signSessionToken } from '../identity/tokens.ts';

export type TestClient = SupabaseClient<Database>;

/**
 * Longer than a call may spend in the gateway: 10 s waiting for a connection and 60 s until its answer. A call or statement that gets lost
 * fails where it was made, instead of letting its test run out of time without a word about what it was waiting for.
 */
const LOST_AFTER_MS = 90_000;
const db = { timeout: LOST_AFTER_MS };

/** The identity a test acts as. Use a random id for each, so that tests do not share data. */
export interface Persona {
  /** The token's `sub`. */
  id: string;
  email: string;
  name: string;
}

export interface TokenOverrides {
  /** Seconds from now; negative for an expired token. 300 by default, because tests are not about refreshing. */
  ttlSeconds?: number;
  /** Replace or add claims. */
  claims?: JWTPayload;
}

/** Addresses and keys of the stack under test. */
export const testEnv = (): StackEnv => stackEnvSchema.parse(process.env);

/** A person without an account yet. `label` appears in the id and address, which helps to read failures. */
export function newPersona(label = 'user'): Persona {
  const suffix = randomUUID().slice(0, 8);
  return { id: `user_${label}_${suffix}`, email: `${label}-${suffix}@example.com`, name: `${label} ${suffix}` };
}

/** A session token as the identity provider would sign it for this person. */
export async function tokenFor(
  who: Persona | string,
  { ttlSeconds = 300, claims }: TokenOverrides = {},
): Promise<string> {
  const { id, email, name } = typeof who === 'string' ? { id: who, email: `${who}@example.com`, name: who } : who;
  const { IDENTITY_DIRECTORY, IDENTITY_ISSUER } = testEnv();
  return signSessionToken(
    await loadSigningKey(IDENTITY_DIRECTORY),
    { id, email, emailVerified: true, name, publicMetadata: {} },
    { issuer: IDENTITY_ISSUER, ttlSeconds, claims },
  );
}

/** A client with this person's session token, as the app creates one. */
export async function asUser(who: Persona | string, claims?: JWTPayload): Promise<TestClient> {
  const token = await tokenFor(who, { claims });
  return withToken(token);
}

/** A client with an arbitrary session token, valid or not. */
export function withToken(token: string): TestClient {
  const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
  return createClient<Database>(SUPABASE_URL, SUPABASE_ANON_KEY, { db, accessToken: async () => token });
}

/** A visitor: the publishable key and no session. */
export function asAnon(): TestClient {
  const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
  return createClient<Database>(SUPABASE_URL, SUPABASE_ANON_KEY, { db, accessToken: async () => null });
}

/** A server that holds the secret key. */
export function asService(): TestClient {
  const { SUPABASE_URL, SUPABASE_SECRET_KEY } = testEnv();
  return createClient<Database>(SUPABASE_URL, SUPABASE_SECRET_KEY, { db, auth: { persistSession: false } });
}

let pool: pg.Pool | undefined;

/** Connections as role postgres, who owns the schema and is subject to no policy. Close them with `closeSql()`. */
export function sql(): pg.Pool {
  pool ??= new pg.Pool({
    connectionString: testEnv().DATABASE_URL,
    max: 8,
    allowExitOnIdle: true,
    connectionTimeoutMillis: LOST_AFTER_MS,
    query_timeout: LOST_AFTER_MS,
  });
  return pool;
}

/**
 * Resolves when every connection is closed. `end` alone does not wait for that, and dropping the database would then end them with an
 * error.
 */
export async function closeSql(): Promise<void> {
  if (!pool) return;
  const closing = pool;
  pool = undefined;
  let open = closing.totalCount;
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve();
    closing.on('remove', () => {
      open -= 1;
      if (open === 0) resolve();
    });
  });
  await closing.end();
  await closed;
}
