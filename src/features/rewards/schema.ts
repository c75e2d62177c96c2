import * as z from 'zod/mini';
import * as databaseSentences from '@/types/database-errors';

const optional = (length: number) => z.string().check(z.trim(), z.maxLength(length, databaseSentences.TEXT_TOO_LONG));
const required = (length: number, message: string) =>
  z.string().check(z.trim(), z.minLength(1, message), z.maxLength(length, databaseSentences.TEXT_TOO_LONG));

/** Where a reward goes by post (C-93). Some countries have no postal codes. */
export const addressSchema = z.object({
  name: required(120, 'Please enter a name'),
  street: required(200, 'Please enter a street and number'),
  extra: optional(200),
  postal_code: optional(20),
  city: required(120, 'Please enter a town or city'),
  region: optional(120),
  country: z.string().check(z.regex(/^[A-Z]{2}$/, 'Please choose a country')),
});

export type Address = z.infer<typeof addressSchema>;
