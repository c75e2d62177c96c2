import { ask, field } from '../ask.ts';
import { type Finding, fine, problem, skipped } from '../finding.ts';
import type { Settings } from '../settings.ts';

/** The site is up, sends our headers, answers every path with the app and leads /api to the functions. */
export async function checkSite({ VITE_SITE_URL }: Partial<Settings>): Promise<Finding[]> {
  if (!VITE_SITE_URL) return [skipped('Site', 'set VITE_SITE_URL to have the static host checked')];
  const site = VITE_SITE_URL.replace(/\/+$/, '');
  const page = await ask(`${site}/browse`);
  if (page.status !== 200) {
    return [
      problem(
        'Site',
        page.status === 0
          ? `nobody answers at ${site}`
          : `/browse answers ${page.status}: is the fallback to index.html set?`,
      ),
    ];
  }
  const policy = page.headers.get('content-security-policy') ?? '';
  const api = await ask(`${site}/api/send-email`);
  return [
    fine('Site', 'answers'),
    policy.includes("script-src 'self'")
      ? fine('Headers', 'a content security policy is sent')
      : problem('Headers', 'no content security policy: the host ignores the headers of the build (docs/deploy.md)'),
    field(api.body, 'function') === 'send-email'
      ? fine('Rewrites', '/api leads to the functions')
      : problem('Rewrites', '/api/send-email does not lead to the function (docs/deploy.md)'),
  ];
}
