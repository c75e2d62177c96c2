import { FUNCTIONS_DIRECTORY } from '../../functions/deno-process.ts';
import { functionNames } from '../../functions/function-names.ts';
import { ask, field } from '../ask.ts';
import { type Finding, fine, problem } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

/** Every function is deployed, configured, and lets the site call it. */
export async function checkFunctions(settings: SettingsWith<'VITE_SUPABASE_URL' | 'SITE_URL'>): Promise<Finding[]> {
  const base = `${settings.VITE_SUPABASE_URL.replace(/\/+$/, '')}/functions/v1`;
  const names = functionNames(FUNCTIONS_DIRECTORY);
  const answers = await Promise.all(names.map((name) => checkFunction(base, name)));
  return [...answers, await checkOrigin(base, settings)];
}

async function checkFunction(base: string, name: string): Promise<Finding> {
  const subject = `Function ${name}`;
  const { status, body } = await ask(`${base}/${name}/health`);
  if (status === 200) return fine(subject, 'answers');
  if (status === 404) return problem(subject, `is not deployed: npx supabase functions deploy ${name}`);
  if (status === 401)
    return problem(subject, 'wants a token: deploy it with verify_jwt = false (supabase/config.toml)');
  const details = field(body, 'details');
  if (field(body, 'code') === 'NOT_CONFIGURED' && Array.isArray(details)) {
    return problem(subject, `is not configured (npx supabase secrets set …): ${details.join('; ')}`);
  }
  return problem(subject, status === 0 ? 'does not answer' : `answers ${status}`);
}

async function checkOrigin(base: string, { SITE_URL }: SettingsWith<'SITE_URL'>): Promise<Finding> {
  const { origin } = new URL(SITE_URL);
  const headers = { origin, 'access-control-request-method': 'POST' };
  const answer = await ask(`${base}/send-email`, { method: 'OPTIONS', headers });
  return answer.headers.get('access-control-allow-origin') === origin
    ? fine('Origin', `${origin} may call the functions`)
    : problem('Origin', `the functions do not let ${origin} call: set SITE_URL, or ALLOWED_ORIGINS, in their secrets`);
}
