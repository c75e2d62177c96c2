import * as z from 'zod/mini';

/** The footer's form (MAIL-01). */
export const subscriptionSchema = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please enter your email'), z.email('Please enter a valid email address')),
});
