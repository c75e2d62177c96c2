import { join } from 'node:path';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWK_RSA_Private,
} from 'jose';
import { readJson, writeJson } from './json-file.ts';

/** The RS256 key that signs session tokens; its public half is what PostgREST and other verifiers get. */
export interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  jwks: JSONWebKeySet;
}

/** Loads the signing key under `dataDir`, making it on first use. Later starts find the same key. */
export async function loadSigningKey(dataDir: string): Promise<SigningKey> {
  const path = join(dataDir, 'signing-key.json');
  const stored = await readJson(path);
  if (stored !== undefined) return toSigningKey(stored, path);

  const pair = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(pair.privateKey);
  const created = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'RS256', use: 'sig' };
  await writeJson(path, created);
  return toSigningKey(created, path);
}

async function toSigningKey(stored: unknown, path: string): Promise<SigningKey> {
  if (!isRsaPrivateKey(stored)) throw new Error(`${path} does not hold an RSA signing key.`);
  const privateKey = await importJWK(stored, 'RS256');
  if (privateKey instanceof Uint8Array) throw new Error(`${path} does not hold an RSA signing key.`);
  const { kty, n, e, kid } = stored;
  return { kid, privateKey, jwks: { keys: [{ kty, n, e, kid, alg: 'RS256', use: 'sig' }] } };
}

function isRsaPrivateKey(value: unknown): value is JWK & JWK_RSA_Private & { kty: 'RSA'; kid: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kty' in value &&
    value.kty === 'RSA' &&
    'd' in value &&
    'kid' in value &&
    typeof value.kid === 'string'
  );
}
