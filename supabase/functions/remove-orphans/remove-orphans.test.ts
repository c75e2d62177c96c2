import { afterAll, expect, it } from 'vitest';
import { closeSql, sql, testEnv } from '../../../local/testing/clients.ts';
import { signIn } from '../_testing/stack.ts';

afterAll(closeSql);

const { SUPABASE_URL, SUPABASE_SECRET_KEY } = testEnv();

const run = (secret = testEnv().CRON_SECRET) =>
  fetch(`${SUPABASE_URL}/functions/v1/remove-orphans`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
  });

async function put(path: string, ageDays: number): Promise<void> {
  const response = await fetch(`${SUPABASE_URL}/storage/v1/object/${path}`, {
    method: 'POST',
    headers: { apikey: SUPABASE_SECRET_KEY, 'content-type': 'image/png' },
    body: new Uint8Array([1]),
  });
  expect(response.status).toBe(200);
  await sql().query(
    "update storage.objects set created_at = now() - make_interval(days => $2) where bucket_id || '/' || name = $1",
    [path, ageDays],
  );
}

it('TRUST-26 removes old unreferenced files and all files of erased people, with their bytes, and keeps the rest', async () => {
  const [member, erased] = await Promise.all([signIn(), signIn()]);
  const old = `proofs/${member.id}/old.png`;
  const young = `proofs/${member.id}/young.png`;
  const oldLogo = `project-logos/${member.id}/old.png`;
  const late = `project-logos/${erased.id}/late.png`;
  await put(old, 9);
  await put(young, 7);
  await put(oldLogo, 9);
  await put(late, 0);
  await sql().query('select public.anonymise_user($1)', [erased.id]);

  expect((await run(testEnv().SUPABASE_ANON_KEY)).status).toBe(403);
  const answer = await run();
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ ok: true, removed: expect.any(Number) });
  const { rows } = await sql().query<{ path: string }>(
    "select bucket_id || '/' || name as path from storage.objects where name like any (array[$1 || '/%', $2 || '/%'])",
    [member.id, erased.id],
  );
  expect(rows.map(({ path }) => path)).toEqual([young]);
  expect((await fetch(`${SUPABASE_URL}/storage/v1/object/public/${late}`)).ok).toBe(false);
});

it('TRUST-26 goes on where the last run ended, so that it gets through all files', async () => {
  const member = await signIn();
  const [first, second] = ['1', '2'].map((name) => `proofs/${member.id}/${name}.png`) as [string, string];
  await put(first, 9);
  await put(second, 9);
  const left = async () =>
    (
      await sql().query<{ path: string }>(
        "select bucket_id || '/' || name as path from storage.objects where name like $1 || '/%'",
        [member.id],
      )
    ).rows.map(({ path }) => path);
  // As after a run that had no time for more.
  await sql().query("update private.file_search set bucket = 'proofs', path = $1", [`${member.id}/1.png`]);
  expect((await run()).status).toBe(200);
  expect(await left()).toEqual([first]);
  expect((await run()).status).toBe(200);
  expect(await left()).toEqual([]);
});
