import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { DatabaseConfig, IdentityConfig, ScheduleConfig, SiteConfig } from './config.ts';
import { isSiteOrigin } from './cors.ts';
import { FunctionError } from './errors.ts';

const CLOCK_TOLERANCE_SECONDS = 5;
const JWKS_TIMEOUT_MS = 5_000;

const keySets = new Map<string, JWTVerifyGetKey>();

/**
 * Id of the signed-in person: the subject of the session token, after verifying its signature, issuer, expiry,
 * authorized party and (when configured) audience. A bare user id or any other string is refused (C-19).
 * @throws FunctionError UNAUTHENTICATED, IDENTITY_UNAVAILABLE
 */
export async function requireUser(request: Request, config: IdentityConfig & SiteConfig): Promise<string> {
  try {
    const { payload } = await jwtVerify(bearer(request), keySet(config), {
      issuer: config.CLERK_ISSUER,
      algorithms: ['RS256'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'exp'],
      ...(config.CLERK_AUDIENCE ? { audience: config.CLERK_AUDIENCE } : {}),
    });
    // A pending session has tasks left, such as the change of a compromised password.
    if (!payload.sub || payload.sts === 'pending' || !isOurs(payload.azp, config))
      throw new FunctionError('UNAUTHENTICATED');
    return payload.sub;
  } catch (error) {
    if (isKeyServerTrouble(error)) throw new FunctionError('IDENTITY_UNAVAILABLE', [], error);
    throw new FunctionError('UNAUTHENTICATED', [], error);
  }
}

/**
 * The authorized party (azp) is the origin of the page that requested the token; tokens not issued to a page have none.
 */
const isOurs = (party: unknown, config: SiteConfig): boolean =>
  party === undefined || (typeof party === 'string' && isSiteOrigin(party, config));

/**
 * Whether the signing keys could not be fetched, which is an outage and not an invalid token: jose reports a timeout,
 * its own error, or that of fetch.
 */
function isKeyServerTrouble(error: unknown): boolean {
  if (error instanceof FunctionError) return false;
  if (!(error instanceof errors.JOSEError)) return true;
  return error instanceof errors.JWKSTimeout || error.code === errors.JOSEError.code;
}

/** Whether the caller presents a secret key of the project, which only servers have, as `apikey` or bearer token. */
export async function isServiceCall(request: Request, config: DatabaseConfig): Promise<boolean> {
  const shown = [request.headers.get('apikey') ?? '', bearer(request)];
  return await isOneOf(shown, [config.SUPABASE_SECRET_KEY, ...config.SUPABASE_SECRET_KEYS]);
}

/** Whether the scheduler is calling. */
export async function isScheduleCall(request: Request, config: ScheduleConfig): Promise<boolean> {
  return await isOneOf([bearer(request)], config.CRON_SECRET);
}

async function isOneOf(shown: readonly string[], accepted: readonly string[]): Promise<boolean> {
  const pairs = shown.flatMap((given) => accepted.map((expected) => isSame(given, expected)));
  return (await Promise.all(pairs)).includes(true);
}

/** Constant-time comparison of digests. */
async function isSame(given: string, expected: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(given), digest(expected)]);
  return left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0;
}

function bearer(request: Request): string {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

function keySet(config: IdentityConfig): JWTVerifyGetKey {
  const url = config.CLERK_JWKS_URL ?? `${config.CLERK_ISSUER}/.well-known/jwks.json`;
  const known = keySets.get(url) ?? createRemoteJWKSet(new URL(url), { timeoutDuration: JWKS_TIMEOUT_MS });
  keySets.set(url, known);
  return known;
}
