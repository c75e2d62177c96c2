import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { StorageError } from './storage-error.ts';

/** Signs and checks the tokens of signed URLs. The key lives as long as the process: a restart invalidates them. */
export class UrlSigner {
  readonly #key = randomBytes(32);

  /** `object` is `bucket/name`. Returns the path below /storage/v1, unencoded, as supabase-js expects it. */
  async sign(object: string, seconds: number): Promise<string> {
    if (!Number.isInteger(seconds) || seconds < 1) {
      throw new StorageError(400, 'InvalidRequest', 'expiresIn must be a positive number of seconds');
    }
    const token = await new SignJWT({ url: object })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime(`${seconds} s`)
      .sign(this.#key);
    return `/object/sign/${object}?token=${token}`;
  }

  /** Throws unless the token was signed here for exactly this object and has not expired. */
  async verify(token: string | null, object: string): Promise<void> {
    try {
      const { payload } = await jwtVerify(token ?? '', this.#key, { algorithms: ['HS256'] });
      if (payload.url === object) return;
    } catch (error) {
      const isExpired = error instanceof errors.JWTExpired;
      throw new StorageError(400, 'InvalidJWT', isExpired ? '"exp" claim timestamp check failed' : 'jwt malformed');
    }
    throw new StorageError(400, 'InvalidSignature', 'The signature is for another object');
  }
}
