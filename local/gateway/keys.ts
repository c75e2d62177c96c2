import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalJWKSet, type JSONWebKeySet, SignJWT } from 'jose';

/** The publishable key of every local project. */
export const ANON_KEY = 'sb_publishable_local';

/** A secret key, new for each start: code in this machine's browser cannot know it. */
export const newSecretKey = (): string => `sb_secret_${randomBytes(24).toString('base64url')}`;

const SERVICE_KEY_ID = 'local-service';
const SERVICE_TOKEN_SECONDS = 600;

export interface GatewayKeys {
  /** Grants service_role. */
  secretKey: string;
  /** Resolves the public key of a session token of the identity provider; knows no other key. */
  sessionKeys: ReturnType<typeof createLocalJWKSet>;
  /** Path of the key set that PostgREST verifies with: the provider's public key and the service key. */
  jwksPath: string;
  /** A current service_role token for PostgREST. Only the gateway can make one, and it never leaves it. */
  serviceToken(): Promise<string>;
}

/** Generates a new key for PostgREST, known to nothing outside this process. */
export async function createGatewayKeys(
  directory: string,
  { identityKeys, secretKey }: { identityKeys: JSONWebKeySet; secretKey: string },
): Promise<GatewayKeys> {
  const secret = randomBytes(32);
  const jwksPath = join(directory, 'jwks.json');
  const serviceKey = { kty: 'oct', k: secret.toString('base64url'), alg: 'HS256', kid: SERVICE_KEY_ID };
  writeFileSync(jwksPath, JSON.stringify({ keys: [...identityKeys.keys, serviceKey] }), { mode: 0o600 });

  let cached = { token: '', renewAt: 0 };
  const serviceToken = async () => {
    if (Date.now() < cached.renewAt) return cached.token;
    const token = await new SignJWT({ role: 'service_role' })
      .setProtectedHeader({ alg: 'HS256', kid: SERVICE_KEY_ID, typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime(`${SERVICE_TOKEN_SECONDS} s`)
      .sign(secret);
    cached = { token, renewAt: Date.now() + (SERVICE_TOKEN_SECONDS / 2) * 1000 };
    return token;
  };
  return { secretKey, sessionKeys: createLocalJWKSet(identityKeys), jwksPath, serviceToken };
}
