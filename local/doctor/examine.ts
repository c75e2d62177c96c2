import { checkApi } from './checks/api.ts';
import { checkDatabase } from './checks/database.ts';
import { checkFunctions } from './checks/functions.ts';
import { checkIdentity } from './checks/identity.ts';
import { checkSettings } from './checks/settings.ts';
import { checkSite } from './checks/site.ts';
import { checkWebhooks } from './checks/webhooks.ts';
import type { Finding } from './finding.ts';

/** Looks at a whole configuration from outside, changing nothing. What cannot be asked without the rest is left out. */
export async function examine(raw: Record<string, string | undefined>): Promise<Finding[]> {
  const { settings, findings } = checkSettings(raw);
  if (!settings) return findings;
  const api = await checkApi(settings);
  if (api.some(({ subject }) => subject === 'VITE_SUPABASE_URL')) return [...findings, ...api];
  const rest = await Promise.all(
    [checkDatabase, checkIdentity, checkFunctions, checkWebhooks, checkSite].map((check) => check(settings)),
  );
  return [...findings, ...api, ...rest.flat()];
}
