import { z } from 'zod';
import { ask, field } from '../../process/ask.ts';
import { type Finding, fine, problem, skipped } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

const SUBJECT = 'Mail sender';
const domains = z.object({ data: z.array(z.object({ name: z.string(), status: z.string() })) });

/** The mail provider accepts the key and has verified the sender's domain. */
export async function checkMail({
  RESEND_API_KEY,
  MAIL_FROM,
  RESEND_API_URL = 'https://api.resend.com',
}: SettingsWith<'RESEND_API_KEY' | 'MAIL_FROM'>): Promise<Finding> {
  const { status, body } = await ask(`${RESEND_API_URL}/domains`, {
    headers: { authorization: `Bearer ${RESEND_API_KEY}` },
  });
  // A key with sending access only is recognised by its error name; a wrong key has another.
  if (field(body, 'name') === 'restricted_api_key')
    return skipped(
      SUBJECT,
      'the key may only send, so its domain could not be looked at: Resend > Domains must show it as verified',
    );
  if (status === 400 || status === 401 || status === 403) return problem('RESEND_API_KEY', 'is not accepted by Resend');
  const answer = domains.safeParse(body);
  if (status !== 200 || !answer.success) return problem(SUBJECT, `Resend answers ${status || 'nothing'}`);
  const name = MAIL_FROM.replace(/^.*@|>$/g, '').toLowerCase();
  const domain = answer.data.data.find((candidate) => candidate.name === name);
  if (!domain) return problem('MAIL_FROM', `${name} is no domain of this Resend account`);
  return domain.status === 'verified'
    ? fine(SUBJECT, `${name} is verified`)
    : problem('MAIL_FROM', `${name} is not verified at Resend yet (${domain.status}): look at its DNS records`);
}
