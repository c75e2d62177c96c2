import { FunctionError } from '../_shared/errors.ts';

/** Older (or future) signatures are refused, so that a recorded request cannot be replayed. */
const SIGNATURE_AGE_SECONDS = 300;

/**
 * Checks the signature that Svix, Clerk's sender, gives its requests: HMAC-SHA256 over `id.timestamp.body`, base64, one
 * or more as `v1,…` separated by spaces (two while a secret is being replaced).
 * @param secret `whsec_` and the key in base64.
 * @throws FunctionError INVALID_SIGNATURE
 */
export async function verifySignature(headers: Headers, body: string, secret: string): Promise<void> {
  const id = headers.get('svix-id');
  const timestamp = headers.get('svix-timestamp');
  const signatures = (headers.get('svix-signature') ?? '').split(' ');
  if (!id || !timestamp || !isRecent(timestamp)) throw new FunctionError('INVALID_SIGNATURE');

  const bytes = decodeBase64(secret.replace(/^whsec_/, '')) ?? new Uint8Array();
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures) {
    const [version, value = ''] = signature.split(',');
    const given = version === 'v1' ? decodeBase64(value) : null;
    // `verify` takes the same time wherever the two differ.
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return;
  }
  throw new FunctionError('INVALID_SIGNATURE');
}

function isRecent(timestamp: string): boolean {
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= SIGNATURE_AGE_SECONDS;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
