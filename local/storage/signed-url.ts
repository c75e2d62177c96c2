import { randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { StorageError } from './storage-error.ts';

const UPLOAD = 'upload';
/** As on the platform. */
const UPLOAD_SECONDS = 2 * 60 * 60;

/** What a signed upload may do, decided when it was signed. */
export interface UploadGrant {
  owner: string | null;
  isUpsert: boolean;
}

/** Signs and checks the tokens of signed URLs. The key lives as long as the process: a restart invalidates them. */
export class UrlSigner {
  readonly #key = randomBytes(32);

  /** `object` is `bucket/name`. Returns the path below /storage/v1, unencoded, as supabase-js expects it. */
  async sign(object: string, seconds: number): Promise<string> {
    if (!Number.isSafeInteger(seconds) || seconds < 1) {
      throw new StorageError(400, 'InvalidRequest', 'expiresIn must be a positive number of seconds');
    }
    return `/object/sign/${object}?token=${await this.#token({ url: object }, seconds)}`;
  }

  /** For an upload without any other credential, with the same kind of token. */
  async signUpload(object: string, upload: UploadGrant): Promise<{ url: string; token: string }> {
    const token = await this.#token({ url: object, scope: UPLOAD, ...upload }, UPLOAD_SECONDS);
    return { url: `/object/upload/sign/${object}?token=${token}`, token };
  }

  /** Throws unless the token was signed here for downloading exactly this object and has not expired. */
  async verify(token: string | null, object: string): Promise<void> {
    await this.#verify(token, object, undefined);
  }

  /** The same for uploading it. */
  async verifyUpload(token: string | null, object: string): Promise<UploadGrant> {
    const { owner, isUpsert } = await this.#verify(token, object, UPLOAD);
    return { owner: typeof owner === 'string' ? owner : null, isUpsert: isUpsert === true };
  }

  #token(payload: JWTPayload, seconds: number): Promise<string> {
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime(`${seconds} s`)
      .sign(this.#key);
  }

  async #verify(token: string | null, object: string, scope: string | undefined): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token ?? '', this.#key, { algorithms: ['HS256'] });
      if (payload.url === object && payload.scope === scope) return payload;
    } catch (error) {
      const isExpired = error instanceof errors.JWTExpired;
      throw new StorageError(400, 'InvalidJWT', isExpired ? '"exp" claim timestamp check failed' : 'jwt malformed');
    }
    throw new StorageError(400, 'InvalidSignature', 'The signature is for another object');
  }
}
