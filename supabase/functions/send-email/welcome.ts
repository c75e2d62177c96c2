import { z } from 'zod';
import { callProcedure } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { deliver } from '../_shared/outbox/deliver.ts';
import { claimEvents } from '../_shared/outbox/outbox.ts';
import type { SendEmailConfig } from './config.ts';
import type { WelcomeInput } from './input.ts';

/**
 * Puts the welcome mail to the caller's own verified address into the outbox, once in a lifetime (MAIL-03, C-49), and
 * delivers it at once. Wherever this ends too early, the outbox's worker does the rest.
 *
 * @returns true when the mail went out now; false when it did before, will later, or its reader wants no mails.
 * @throws FunctionError NOT_YOUR_ADDRESS, DATABASE_UNAVAILABLE
 */
export async function sendWelcome(config: SendEmailConfig, userId: string, input: WelcomeInput): Promise<boolean> {
  const person = { p_user_id: userId };
  const email = await callProcedure(config, 'get_user_email_by_clerk_id', person, z.string().nullable());
  if (email?.toLowerCase() !== input.recipient.email.toLowerCase()) throw new FunctionError('NOT_YOUR_ADDRESS');
  const words = {
    p_first_name: input.firstName ?? null,
    p_is_startup: input.userRole?.startsWith('startup') ?? false,
  };
  const eventId = await callProcedure(
    config,
    'request_welcome_email',
    { ...person, ...words },
    z.number().int().nullable(),
  );
  if (eventId === null) return false;
  const [event] = await claimEvents(config, eventId);
  return event !== undefined && (await deliver(event, config)).state === 'mailed';
}
