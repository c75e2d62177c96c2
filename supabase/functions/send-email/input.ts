import { z } from 'zod';

const recipient = z.object({
  email: z.email().max(254),
  name: z.string().trim().max(200).optional(),
});

const welcome = z.object({
  type: z.literal('welcome'),
  recipient,
  userRole: z.enum(['community', 'startup_unverified', 'startup_verified', 'admin']).optional(),
  firstName: z.string().trim().max(80).optional(),
});

const notification = z.object({
  type: z.literal('notification'),
  recipient,
  userRole: z.string().max(40).optional(),
  subject: z.string().trim().min(1).max(200),
  message: z.string().trim().min(1).max(5_000),
});

/** Body of `POST /api/send-email` (MAIL-04). */
export const sendEmailInput = z.discriminatedUnion('type', [welcome, notification]);

export type WelcomeInput = z.infer<typeof welcome>;
