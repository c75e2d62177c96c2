import { checkApi } from './checks/api.ts';
import { checkAuth } from './checks/auth.ts';
import { checkDatabase } from './checks/database.ts';
import { checkFunctions } from './checks/functions.ts';
import { checkGithub } from './checks/github.ts';
import { checkIdentity } from './checks/identity.ts';
import { checkMail } from './checks/mail.ts';
import { checkPayments } from './checks/payments.ts';
import { checkSettings } from './checks/settings.ts';
import { checkSite } from './checks/site.ts';
import { checkWebhooks } from './checks/webhooks.ts';
import type { Finding } from './finding.ts';
import type { Settings } from './settings.ts';

/**
 * Checks a whole configuration from outside, read-only. Checks that need a missing variable or an unresponsive project
 * are skipped; the variable itself is reported.
 */
export async function examine(raw: Record<string, string | undefined>): Promise<Finding[]> {
  const { settings, findings } = checkSettings(raw);
  const site = () => checkSite(settings);
  const mail = async () => (has(settings, 'RESEND_API_KEY', 'MAIL_FROM') ? [await checkMail(settings)] : []);
  if (!has(settings, 'VITE_SUPABASE_URL')) return [...findings, ...(await mail()), ...(await site())];
  const api = has(settings, 'VITE_SUPABASE_ANON_KEY') ? await checkApi(settings) : [];
  if (api.some(({ subject }) => subject === 'VITE_SUPABASE_URL')) return [...findings, ...api];

  const rest = await Promise.all([
    checkDatabase(settings),
    has(settings, 'VITE_SUPABASE_ANON_KEY') && checkAuth(settings),
    has(settings, 'VITE_SUPABASE_ANON_KEY', 'CLERK_ISSUER') && checkIdentity(settings),
    has(settings, 'SITE_URL') && checkFunctions(settings),
    has(settings, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'CLERK_WEBHOOK_SECRET') && checkWebhooks(settings),
    has(settings, 'STRIPE_SECRET_KEY') && checkPayments(settings),
    has(settings, 'GITHUB_API_URL', 'GITHUB_TOKEN') && checkGithub(settings).then((finding) => [finding]),
    mail(),
    site(),
  ]);
  return [...findings, ...api, ...rest.flatMap((found) => found || [])];
}

function has<Some extends Partial<Settings>, Name extends keyof Settings>(
  settings: Some,
  ...names: Name[]
): settings is Some & Pick<Settings, Name> {
  return names.every((name) => settings[name] !== undefined);
}
