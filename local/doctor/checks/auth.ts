import { ask, field } from '../../process/ask.ts';
import { type Finding, fine, problem } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

const SUBJECT = 'Sign-ups';
const HOW = '(Authentication > Sign In / Providers, docs/deploy.md)';

/** Sign-ups at the platform itself are disabled: people only sign in through the identity provider (TRUST-29). */
export async function checkAuth({
  VITE_SUPABASE_URL,
  VITE_SUPABASE_ANON_KEY,
}: SettingsWith<'VITE_SUPABASE_URL' | 'VITE_SUPABASE_ANON_KEY'>): Promise<Finding> {
  const { status, body } = await ask(`${VITE_SUPABASE_URL}/auth/v1/settings`, {
    headers: { apikey: VITE_SUPABASE_ANON_KEY },
  });
  if (status !== 200) return problem(SUBJECT, `the settings of Supabase Auth could not be read: it answers ${status}`);
  if (field(body, 'disable_signup') !== true)
    return problem(SUBJECT, `anybody may make a Supabase account: turn sign-ups off ${HOW}`);
  if (field(field(body, 'external'), 'anonymous_users') === true)
    return problem(SUBJECT, `anonymous sign-ins are on: turn them off ${HOW}`);
  return fine(SUBJECT, 'Supabase Auth makes no accounts; people come by Clerk alone');
}
