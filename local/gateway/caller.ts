import { errors, type JWTPayload, jwtVerify } from 'jose';
import { ANON_KEY, type GatewayKeys } from './keys.ts';

/** The identity of a request, as the database sees it. */
export interface Caller {
  role: 'anon' | 'authenticated' | 'service_role';
  /** Claims of the session token; `{role}` alone for the two API keys. */
  claims: JWTPayload;
  /** The bearer token for PostgREST; none for visitors. */
  token?: string;
}

/** A refused request. `status` 401, with PostgREST's code where it has one. */
export class CallerRefused extends Error {
  override name = 'CallerRefused';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** PostgREST's code for an invalid token. */
const BAD_TOKEN = 'PGRST301';

/**
 * Determines the caller from the `apikey` and `Authorization` headers, as the hosted platform does: a key is required; a bearer token other
 * than the key itself, which supabase-js repeats there, is a session token; without one the publishable key = visitor, the secret key =
 * service_role. A session token must be signed by the identity provider, come from it, be unexpired and claim the role `authenticated`:
 * whatever else it says, the provider's key cannot make anybody service_role.
 */
export async function identifyCaller(headers: Headers, keys: GatewayKeys, issuer: string): Promise<Caller> {
  const apiKey = headers.get('apikey');
  const bearer = /^Bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trim();
  if (!apiKey) throw new CallerRefused('No API key found in request', 'no_api_key');
  if (apiKey !== ANON_KEY && apiKey !== keys.secretKey) throw new CallerRefused('Invalid API key', 'bad_api_key');
  if (bearer !== undefined && bearer !== apiKey) {
    return { role: 'authenticated', ...(await verifySession(bearer, keys, issuer)) };
  }
  if (apiKey === ANON_KEY) return { role: 'anon', claims: { role: 'anon' } };
  return { role: 'service_role', claims: { role: 'service_role' }, token: await keys.serviceToken() };
}

async function verifySession(
  token: string,
  keys: GatewayKeys,
  issuer: string,
): Promise<Required<Omit<Caller, 'role'>>> {
  try {
    const { payload } = await jwtVerify(token, keys.sessionKeys, {
      algorithms: ['RS256'],
      issuer,
      requiredClaims: ['sub', 'exp'],
    });
    if (payload.role !== 'authenticated') throw new CallerRefused('The token claims a role it cannot have', BAD_TOKEN);
    return { claims: payload, token };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new CallerRefused('JWT expired', BAD_TOKEN);
    if (error instanceof errors.JOSEError) throw new CallerRefused('JWT invalid', BAD_TOKEN);
    throw error;
  }
}
