import { decodeJwt, type JWTPayload } from 'jose';
import { ask, field } from '../../process/ask.ts';
import { type Finding, fine, problem, skipped } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

type Known = SettingsWith<'VITE_SUPABASE_URL' | 'VITE_SUPABASE_ANON_KEY' | 'CLERK_ISSUER'>;

/** Claims that the database reads, beside `sub` (docs/deploy.md, session token). */
const CLAIMS = ['email', 'email_verified', 'name', 'public_metadata'];

/** Clerk publishes its keys, and the database accepts a session token and reads its claims. */
export async function checkIdentity(settings: Known): Promise<Finding[]> {
  return [await checkKeys(settings), ...(await checkToken(settings))];
}

async function checkKeys({ CLERK_ISSUER, CLERK_JWKS_URL }: Known): Promise<Finding> {
  const url = CLERK_JWKS_URL ?? `${CLERK_ISSUER}/.well-known/jwks.json`;
  const { body } = await ask(url);
  const keys = field(body, 'keys');
  return Array.isArray(keys) && keys.length > 0
    ? fine('Identity', 'publishes its keys')
    : problem('CLERK_ISSUER', `there are no keys at ${url}`);
}

async function checkToken(settings: Known): Promise<Finding[]> {
  const { VITE_SUPABASE_URL, VITE_SUPABASE_ANON_KEY, DOCTOR_SESSION_TOKEN: token, CLERK_ISSUER } = settings;
  const subject = 'Session token';
  if (!token) return [skipped(subject, 'set DOCTOR_SESSION_TOKEN to have sign-in checked (docs/deploy.md says how)')];
  const claims = decode(token);
  if (!claims) return [problem('DOCTOR_SESSION_TOKEN', 'is no token')];
  if ((claims.exp ?? 0) * 1000 < Date.now())
    return [problem('DOCTOR_SESSION_TOKEN', 'has expired: take a new one, they hold for a minute')];
  if (claims.iss !== CLERK_ISSUER) return [problem('CLERK_ISSUER', `the token is of ${claims.iss}`)];

  const { status, body } = await ask(`${VITE_SUPABASE_URL}/rest/v1/rpc/current_user_id`, {
    headers: { apikey: VITE_SUPABASE_ANON_KEY, authorization: `Bearer ${token}` },
  });
  const missing = CLAIMS.filter((name) => claims[name] === undefined);
  return [
    status === 200 && body === claims.sub
      ? fine(subject, 'accepted by the database')
      : problem(
          subject,
          `refused by the database (${field(body, 'message') ?? status}): add Clerk as third-party auth`,
        ),
    claims.role === 'authenticated'
      ? fine('Role', 'the token claims "authenticated"')
      : problem('Role', 'the token lacks the claim "role": "authenticated"'),
    missing.length === 0 ? fine('Claims', 'complete') : problem('Claims', `the token lacks ${missing.join(', ')}`),
  ];
}

function decode(token: string): JWTPayload | null {
  try {
    return decodeJwt(token);
  } catch {
    return null;
  }
}
