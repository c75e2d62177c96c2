import { functionNames } from '../../functions/function-names.ts';
import { functionsRelease, UNSTAMPED } from '../../functions/release.ts';
import { ask, field } from '../../process/ask.ts';
import { type Finding, fine, problem, skipped } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

/** Every function is deployed, configured, and accepts calls from the site. */
export async function checkFunctions(settings: SettingsWith<'VITE_SUPABASE_URL' | 'SITE_URL'>): Promise<Finding[]> {
  const base = `${settings.VITE_SUPABASE_URL}/functions/v1`;
  const names = functionNames();
  const answers = await Promise.all(names.map((name) => checkFunction(base, name)));
  return [...answers, await checkOrigin(base, settings)];
}

async function checkFunction(base: string, name: string): Promise<Finding> {
  const subject = `Function ${name}`;
  const { status, body } = await ask(`${base}/${name}/health`);
  if (status === 200) return compareRelease(subject, field(body, 'release'), functionsRelease());
  if (status === 404) return problem(subject, 'is not deployed: npm run deploy:functions');
  if (status === 401)
    return problem(subject, 'wants a token: deploy it with verify_jwt = false (supabase/config.toml)');
  const details = field(body, 'details');
  if (field(body, 'code') === 'NOT_CONFIGURED' && Array.isArray(details)) {
    return problem(subject, `is not configured (npx supabase secrets set …): ${details.join('; ')}`);
  }
  return problem(subject, status === 0 ? 'does not answer' : `answers ${status}`);
}

/** Exported for tests. */
export function compareRelease(subject: string, deployed: unknown, current: string): Finding {
  if (deployed === current) return fine(subject, 'answers, and is that of this checkout');
  if (deployed === UNSTAMPED)
    return skipped(subject, 'answers; whether it is that of this checkout shows after npm run deploy:functions');
  return problem(subject, 'is of another version than this checkout: npm run deploy:functions');
}

async function checkOrigin(base: string, { SITE_URL }: SettingsWith<'SITE_URL'>): Promise<Finding> {
  const { origin } = new URL(SITE_URL);
  const headers = { origin, 'access-control-request-method': 'POST' };
  const answer = await ask(`${base}/send-email`, { method: 'OPTIONS', headers });
  return answer.headers.get('access-control-allow-origin') === origin
    ? fine('Origin', `${origin} may call the functions`)
    : problem('Origin', `the functions do not let ${origin} call: set SITE_URL, or ALLOWED_ORIGINS, in their secrets`);
}
