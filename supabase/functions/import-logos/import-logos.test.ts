import { afterAll, expect, it } from 'vitest';
import { closeSql, sql, testEnv } from '../../../local/testing/clients.ts';
import { signIn } from '../_testing/stack.ts';

afterAll(closeSql);

const { SUPABASE_URL, CRON_SECRET, SUPABASE_SECRET_KEY } = testEnv();

const run = (secret = CRON_SECRET) =>
  fetch(`${SUPABASE_URL}/functions/v1/import-logos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
  });

it('C-101 fails to fetch a logo address in its own network, and keeps it for another try', async () => {
  const owner = await signIn();
  const logo = `${SUPABASE_URL.replace('http:', 'https:')}/storage/v1/object/public/reward-images/x.png`;
  const answer = await owner.post('/rest/v1/rpc/create_startup_profile', {
    p_name: 'Curious',
    p_industry: 'SaaS',
    p_logo_url: logo,
  });
  expect(answer.status).toBe(200);
  expect((await run(SUPABASE_SECRET_KEY)).status).toBe(403);
  const imported = await run();
  expect(imported.status).toBe(200);
  const { failed } = (await imported.json()) as { failed: number };
  expect(failed).toBeGreaterThanOrEqual(1);
  const { rows } = await sql().query(
    `select s.logo_url, i.attempts from public.startup_profiles s join private.logo_imports i on i.startup_id = s.id
     where s.owner_user_id = $1`,
    [owner.id],
  );
  expect(rows).toEqual([{ logo_url: logo, attempts: 1 }]);
});
