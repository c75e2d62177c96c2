import { authorizedFetch } from '@/lib/authorized-fetch';
import { onceFlag } from '@/lib/storage';
import type { Profile } from './queries';

/** Longest name that the function takes. */
const nameLength = 80;

function welcomeBody({ email, display_name, role }: Profile) {
  const name = display_name?.trim();
  const firstName = name?.split(/\s+/)[0]?.slice(0, nameLength);
  return {
    type: 'welcome',
    recipient: { email, ...(name ? { name: name.slice(0, nameLength) } : {}) },
    userRole: role,
    ...(firstName ? { firstName } : {}),
  };
}

/** Asks for the welcome mail (MAIL-04); false when that failed in any way, without a word to anybody (MAIL-05). */
async function sendWelcomeEmail(profile: Profile): Promise<boolean> {
  try {
    const response = await authorizedFetch('/api/send-email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(welcomeBody(profile)),
    });
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Has the welcome mail sent to a member's verified address, once (MAIL-03): this browser remembers it, and the server
 * does for all browsers (C-49). After a failure the next visit tries again.
 */
export async function welcomeOnce(profile: Profile): Promise<void> {
  const { user_id, email, welcome_email_sent_at } = profile;
  if (!email || welcome_email_sent_at || onceFlag.isSet('welcomeEmailSent', user_id)) return;
  if (await sendWelcomeEmail(profile)) onceFlag.set('welcomeEmailSent', user_id);
}
