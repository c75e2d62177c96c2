import { z } from 'zod';
import { callProcedure } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { deliver } from '../_shared/outbox/deliver.ts';
import { claimEvents } from '../_shared/outbox/outbox.ts';
import type { SendEmailConfig } from './config.ts';
import type { WelcomeInput } from './input.ts';

/**
 * Enqueues the welcome mail to the caller's own verified address, once ever (MAIL-03, C-49), and delivers it
 * immediately. If this is interrupted, the outbox worker completes it.
 * @returns true when the mail was sent now; false when it was sent before, will be sent later, or the recipient has
 * opted out.
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
