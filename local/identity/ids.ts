import { randomBytes, randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id in Clerk's form: a prefix such as `user` and 27 random base-62 characters. */
export function randomId(prefix: string): string {
  let tail = '';
  for (let position = 0; position < 27; position++) tail += alphabet[randomInt(alphabet.length)];
  return `${prefix}_${tail}`;
}

/** An unguessable value for cookies and keys: 256 bits. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Six decimal digits, leading zeros included. */
export function randomCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}
