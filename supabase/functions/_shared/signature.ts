import { Webhook } from 'standardwebhooks';
import { FunctionError } from './errors.ts';

/** Tolerance of a signature's timestamp in seconds, in both directions, against replay. */
const MAX_AGE_SECONDS = 300;

/**
 * Verifies a Standard Webhooks signature over id, timestamp and body.
 * @param prefix of the headers: `webhook`, or `svix` for a sender from before the standard.
 * @param secrets each `whsec_` and the key in base64; one of them must fit.
 * @returns the message's id.
 * @throws FunctionError INVALID_SIGNATURE
 */
export function verifySignature(
  headers: Headers,
  prefix: 'webhook' | 'svix',
  body: string,
  secrets: readonly string[],
): string {
  const signed = Object.fromEntries(
    ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, headers.get(`${prefix}-${name}`) ?? '']),
  );
  const fits = (secret: string) => {
    try {
      new Webhook(secret).verify(body, signed, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  };
  if (!secrets.some(fits)) throw new FunctionError('INVALID_SIGNATURE');
  return signed['webhook-id'] ?? '';
}

/** Whether the request's timestamp is within the tolerance. */
export function isFresh(headers: Headers): boolean {
  const timestamp = Number(headers.get('webhook-timestamp') ?? Number.NaN);
  return Math.abs(Date.now() / 1000 - timestamp) <= MAX_AGE_SECONDS;
}
