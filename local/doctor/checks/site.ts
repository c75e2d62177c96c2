import { contentSecurityPolicy } from '../../../vite/hosting/policy.ts';
import { type Answer, ask, field } from '../../process/ask.ts';
import { type Finding, fine, problem, skipped } from '../finding.ts';
import type { Settings } from '../settings.ts';

const NO_QUEST = '00000000-0000-4000-8000-000000000000';

/** The site is up, sends our headers, serves the app on every path, answers 404 for missing pages, and forwards /api to the functions. */
export async function checkSite(settings: Partial<Settings>): Promise<Finding[]> {
  const { VITE_SITE_URL } = settings;
  if (!VITE_SITE_URL) return [skipped('Site', 'set VITE_SITE_URL to have the static host checked')];
  const page = await ask(`${VITE_SITE_URL}/browse`);
  if (page.status !== 200) {
    return [
      problem(
        'Site',
        page.status === 0
          ? `nobody answers at ${VITE_SITE_URL}`
          : `/browse answers ${page.status}: does the edge function run, is the fallback to index.html set?`,
      ),
    ];
  }
  const api = await ask(`${VITE_SITE_URL}/api/send-email`);
  const nothing = await ask(`${VITE_SITE_URL}/quest/${NO_QUEST}`);
  return [
    fine('Site', 'answers'),
    headers(page, settings),
    nothing.status === 404
      ? fine('Pages', 'the edge function answers them, with what search engines and previews read')
      : problem(
          'Pages',
          `a quest that is not there answers ${nothing.status || 'nothing'}: the edge function does not run (docs/deploy.md)`,
        ),
    field(api.body, 'function') === 'send-email'
      ? fine('Rewrites', '/api leads to the functions')
      : problem('Rewrites', '/api/send-email does not lead to the function (docs/deploy.md)'),
  ];
}

/** The page's content security policy allows exactly the hosts that this configuration needs. */
function headers(page: Answer, settings: Partial<Settings>): Finding {
  const subject = 'Headers';
  const sent = page.headers.get('content-security-policy');
  if (!sent)
    return problem(subject, 'no content security policy: the host ignores the headers of the build (docs/deploy.md)');
  const env = Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const [deployed, wanted] = [sources(sent), sources(contentSecurityPolicy(env, String(page.body)))];
  const missing = [...wanted].filter((source) => !deployed.has(source));
  if (missing.length > 0)
    return problem(subject, `the content security policy lacks ${missing.join(', ')}: build and deploy the site again`);
  const foreign = [...deployed].filter((source) => !wanted.has(source));
  if (foreign.length > 0) return problem(subject, `the content security policy lets in ${foreign.join(', ')}`);
  return fine(subject, 'the content security policy is that of this configuration');
}

/** "script-src https://a.example" and so on. */
function sources(policy: string): Set<string> {
  return new Set(
    policy.split(';').flatMap((directive) => {
      const [name, ...values] = directive.trim().split(/\s+/);
      return values.map((value) => `${name} ${value}`);
    }),
  );
}
