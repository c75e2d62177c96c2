import { clerkHost } from '../../../vite/hosting/policy.ts';
import { type Finding, fine, problem, warning } from '../finding.ts';
import { type Settings, settingsSchema } from '../settings.ts';

const SUBJECT = 'Settings';

/** Every variable is there and well-formed, and those that must agree do. `settings` are those that can be used. */
export function checkSettings(raw: Record<string, string | undefined>): {
  settings: Partial<Settings>;
  findings: Finding[];
} {
  const parsed = settingsSchema.safeParse(raw);
  if (!parsed.success) {
    const findings = parsed.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return problem(name, raw[name] === undefined ? 'is missing' : message);
    });
    const unusable = new Set(findings.map(({ subject }) => subject));
    const rest = Object.entries(raw).filter(([name]) => !unusable.has(name));
    return { settings: settingsSchema.partial().parse(Object.fromEntries(rest)), findings };
  }
  const findings = disagreements(parsed.data);
  return { settings: parsed.data, findings: findings.length > 0 ? findings : [fine(SUBJECT, 'complete')] };
}

function disagreements(settings: Settings): Finding[] {
  const findings: Finding[] = [];
  const { VITE_CLERK_PUBLISHABLE_KEY, CLERK_ISSUER, CLERK_DOMAIN } = settings;
  const { VITE_SITE_URL, SITE_URL, STRIPE_SECRET_KEY } = settings;
  const host = clerkHost(VITE_CLERK_PUBLISHABLE_KEY);
  if (new URL(CLERK_ISSUER).host !== host) {
    findings.push(
      problem('CLERK_ISSUER', `is not the instance of VITE_CLERK_PUBLISHABLE_KEY, which is https://${host}`),
    );
  }
  if (CLERK_DOMAIN && CLERK_DOMAIN !== host) {
    findings.push(problem('CLERK_DOMAIN', `is not the instance of VITE_CLERK_PUBLISHABLE_KEY, which is ${host}`));
  }
  if (settings.VITE_SUPABASE_ANON_KEY.startsWith('sb_secret_')) {
    findings.push(
      problem('VITE_SUPABASE_ANON_KEY', 'is a secret key: everybody can read it in the app. Replace it at once'),
    );
  }
  if (VITE_SITE_URL && new URL(VITE_SITE_URL).origin !== new URL(SITE_URL).origin) {
    findings.push(problem('SITE_URL', 'is another site than VITE_SITE_URL'));
  }
  if (VITE_CLERK_PUBLISHABLE_KEY.startsWith('pk_live_') !== /^.k_live_/.test(STRIPE_SECRET_KEY)) {
    findings.push(warning('Keys', 'Clerk and Stripe are not both in live mode, or both in test mode'));
  }
  return findings;
}
