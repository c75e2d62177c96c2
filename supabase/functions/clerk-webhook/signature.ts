import { Webhook } from 'standardwebhooks';
import { FunctionError } from '../_shared/errors.ts';

/**
 * Checks the signature of Svix, Clerk's sender: that of Standard Webhooks under headers of other names. It holds for five minutes,
 * so that a recorded request cannot be replayed.
 * @param secrets each `whsec_` and the key in base64; one of them must fit.
 * @throws FunctionError INVALID_SIGNATURE
 */
export function verifySignature(headers: Headers, body: string, secrets: readonly string[]): void {
  const signed = Object.fromEntries(
    ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, headers.get(`svix-${name}`) ?? '']),
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
}
