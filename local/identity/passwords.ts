import { randomBytes, scrypt as scryptCallback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const scrypt = promisify<string, Buffer, number, Buffer>(scryptCallback);
const keyLength = 32;

/** Clerk's default rule. */
export const minimumPasswordLength = 8;
/** Clerk's default ceiling; also bounds the work of hashing. */
export const maximumPasswordLength = 72;

/** Hashes with scrypt at Node's default cost; the result carries its salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await scrypt(password, salt, keyLength);
  return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** False for a wrong password, and for an account that has none. */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  const [, salt, expected] = hash?.split('$') ?? [];
  if (!salt || !expected) return false;
  const key = await scrypt(password, Buffer.from(salt, 'base64url'), keyLength);
  return timingSafeEqual(key, Buffer.from(expected, 'base64url'));
}
