import { z } from 'zod';
import { callProcedure } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { welcomeMessage } from '../_shared/mail/messages.ts';
import { sendMail } from '../_shared/mail/send-mail.ts';
import { unsubscribeLinks } from '../_shared/mail/unsubscribing.ts';
import type { SendEmailConfig } from './config.ts';
import type { WelcomeInput } from './input.ts';

/**
 * Sends the welcome mail to the caller's own verified address, once in a lifetime (MAIL-03, C-49). The claim in the
 * database comes first, so that parallel calls send one mail; it is given back when the provider fails.
 *
 * @returns false when the mail went out before.
 * @throws FunctionError NOT_YOUR_ADDRESS, MAIL_NOT_SENT
 */
export async function sendWelcome(config: SendEmailConfig, userId: string, input: WelcomeInput): Promise<boolean> {
  const person = { p_user_id: userId };
  const email = await callProcedure(config, 'get_user_email_by_clerk_id', person, z.string().nullable());
  if (email?.toLowerCase() !== input.recipient.email.toLowerCase()) throw new FunctionError('NOT_YOUR_ADDRESS');
  if (!(await callProcedure(config, 'claim_welcome_email', person, z.boolean()))) return false;

  try {
    const { pageUrl, oneClickUrl } = await unsubscribeLinks(config, email);
    const { firstName, userRole } = input;
    await sendMail(config, {
      to: email,
      message: welcomeMessage(
        { firstName, isStartup: userRole?.startsWith('startup') ?? false },
        { siteUrl: config.SITE_URL, unsubscribeUrl: pageUrl },
      ),
      idempotencyKey: `welcome/${userId}`,
      oneClickUrl,
    });
    return true;
  } catch (error) {
    await callProcedure(config, 'release_welcome_email', person, z.unknown());
    throw error;
  }
}
