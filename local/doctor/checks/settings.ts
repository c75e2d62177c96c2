import { clerkHost } from '../../../vite/hosting/policy.ts';
import { type Finding, fine, problem } from '../finding.ts';
import { type Settings, settingsSchema } from '../settings.ts';

const SUBJECT = 'Settings';

/** Every variable is set and well-formed, and related ones agree. `settings` are those that can be used. */
export function checkSettings(raw: Record<string, string | undefined>): {
  settings: Partial<Settings>;
  findings: Finding[];
} {
  const parsed = settingsSchema.safeParse(raw);
  const issues = parsed.error?.issues ?? [];
  const unusable = new Map(issues.map(({ path, message }) => [String(path[0]), message]));
  const settings = settingsSchema
    .partial()
    .parse(Object.fromEntries(Object.entries(raw).filter(([name]) => !unusable.has(name))));
  const findings = [
    ...[...unusable].map(([name, message]) => problem(name, raw[name] === undefined ? 'is missing' : message)),
    ...disagreements(settings),
  ];
  return { settings, findings: findings.length > 0 ? findings : [fine(SUBJECT, 'complete')] };
}

/** Checks whatever is set: pairs are compared when both are known. */
function disagreements(settings: Partial<Settings>): Finding[] {
  const { VITE_CLERK_PUBLISHABLE_KEY, CLERK_ISSUER, CLERK_DOMAIN, VITE_SUPABASE_ANON_KEY } = settings;
  const { VITE_SITE_URL, SITE_URL, STRIPE_SECRET_KEY } = settings;
  const findings: Finding[] = [];
  const host = VITE_CLERK_PUBLISHABLE_KEY && clerkHost(VITE_CLERK_PUBLISHABLE_KEY);
  if (host && CLERK_ISSUER && new URL(CLERK_ISSUER).host !== host) {
    findings.push(
      problem('CLERK_ISSUER', `is not the instance of VITE_CLERK_PUBLISHABLE_KEY, which is https://${host}`),
    );
  }
  if (host && CLERK_DOMAIN && CLERK_DOMAIN !== host) {
    findings.push(problem('CLERK_DOMAIN', `is not the instance of VITE_CLERK_PUBLISHABLE_KEY, which is ${host}`));
  }
  if (VITE_SUPABASE_ANON_KEY?.startsWith('sb_secret_')) {
    findings.push(
      problem('VITE_SUPABASE_ANON_KEY', 'is a secret key: everybody can read it in the app. Replace it at once'),
    );
  }
  if (VITE_SITE_URL && SITE_URL && new URL(VITE_SITE_URL).origin !== new URL(SITE_URL).origin) {
    findings.push(problem('SITE_URL', 'is another site than VITE_SITE_URL'));
  }
  if (VITE_CLERK_PUBLISHABLE_KEY && STRIPE_SECRET_KEY) {
    const [clerk, stripe] = [/^pk_live_/.test(VITE_CLERK_PUBLISHABLE_KEY), /^.k_live_/.test(STRIPE_SECRET_KEY)];
    if (clerk !== stripe) {
      const modes = `Clerk is in ${clerk ? 'live' : 'test'} mode and Stripe in ${stripe ? 'live' : 'test'} mode`;
      findings.push(problem('Keys', `${modes}: either people pay with test cards or testers with their own`));
    }
  }
  return findings;
}
