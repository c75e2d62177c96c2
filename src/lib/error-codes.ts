/**
 * Codes of refusals whose sentence is written for people and shown as it is. Those of the database come from
 * src/types/database-errors.ts, which is generated.
 */
export { databaseCodes } from '@/types/database-errors';

/** Those of the edge functions (supabase/functions/_shared/errors.ts); failures of ours have no place here. */
export const functionCodes: readonly string[] = [
  'BODY_TOO_LARGE',
  'DATABASE_UNAVAILABLE',
  'IDENTITY_UNAVAILABLE',
  'INVALID_INPUT',
  'MAIL_NOT_SENT',
  'NOT_YOUR_ADDRESS',
  'PAYMENT_PROVIDER_FAILED',
];

/** Failures that no procedure words: the platform's and the browser's own, by our name for them. */
export const platformSentences = {
  NETWORK: 'Network error. Please check your connection and try again.',
  SESSION_EXPIRED: 'Your session has ended. Please sign in again to continue.',
  FORBIDDEN: 'Forbidden',
  NOT_FOUND: 'We could not find what you asked for.',
  DUPLICATE: 'This already exists.',
  TIMEOUT: 'That took too long. Please try again.',
  TOO_LARGE: 'File is too large. Please use a smaller file.',
  RATE_LIMITED: 'Please wait a moment before trying again.',
  UNKNOWN: 'Something went wrong on our side. Please try again.',
} as const;

export type PlatformCode = keyof typeof platformSentences;

/** SQLSTATE and PostgREST codes that mean one of the above (PGRST116: no rows; 23505: duplicate key). */
export const platformCodes: Readonly<Record<string, PlatformCode>> = {
  PGRST116: 'NOT_FOUND',
  PGRST301: 'SESSION_EXPIRED',
  PGRST302: 'SESSION_EXPIRED',
  PGRST303: 'SESSION_EXPIRED',
  '23505': 'DUPLICATE',
  '42501': 'FORBIDDEN',
  '57014': 'TIMEOUT',
};
