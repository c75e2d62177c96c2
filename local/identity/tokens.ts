import { randomUUID } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { IDENTITY_ISSUER } from '../constants.ts';
import { randomId } from './ids.ts';
import type { SigningKey } from './keys.ts';
import { fullName, type Metadata, primaryEmail, type User } from './model.ts';

/** Seconds that a session token is valid, as with Clerk; the SDK fetches a new one before it expires. */
export const defaultTokenTtl = 60;

/** The subject of a token. */
export interface TokenSubject {
  id: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  publicMetadata: Metadata;
}

export interface TokenOptions {
  issuer?: string;
  /** The session's id; a token minted for a script gets its own. */
  sessionId?: string;
  /** The origin that requested the token. */
  authorizedParty?: string;
  /** May be negative, which gives a token that has already expired. */
  ttlSeconds?: number;
  /** Replaces or adds claims, so that tests can forge what a real session would never say. */
  claims?: JWTPayload;
}

export function tokenSubject(user: User): TokenSubject {
  const email = primaryEmail(user);
  return {
    id: user.id,
    email: email?.address ?? null,
    emailVerified: email?.verified ?? false,
    name: fullName(user),
    publicMetadata: user.publicMetadata,
  };
}

/**
 * Signs a session token with the claims that a hosted instance is configured to put in (docs/deploy.md): Clerk's own
 * version 2 claims, `role` for PostgREST, and what `sync_current_user()` reads.
 */
export async function signSessionToken(
  key: SigningKey,
  subject: TokenSubject,
  options: TokenOptions = {},
): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: options.issuer ?? IDENTITY_ISSUER,
    sub: subject.id,
    sid: options.sessionId ?? randomId('sess'),
    ...(options.authorizedParty ? { azp: options.authorizedParty } : {}),
    iat: issuedAt,
    // Ten seconds of slack for a verifier whose clock is behind, as Clerk gives.
    nbf: issuedAt - 10,
    exp: issuedAt + (options.ttlSeconds ?? defaultTokenTtl),
    jti: randomUUID(),
    v: 2,
    role: 'authenticated',
    email: subject.email,
    email_verified: subject.emailVerified,
    name: subject.name,
    public_metadata: subject.publicMetadata,
    ...options.claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' })
    .sign(key.privateKey);
}
