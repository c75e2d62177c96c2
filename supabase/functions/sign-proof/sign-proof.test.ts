import { afterAll, expect, it } from 'vitest';
import { closeSql, sql, testEnv, tokenFor } from '../../../local/testing/clients.ts';
import { picture } from '../../../local/testing/pictures.ts';
import { signIn } from '../_testing/stack.ts';

afterAll(closeSql);

it('C-59 returns a link of five minutes to those who may see a checked screenshot, and to nobody else', async () => {
  const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
  const [member, stranger] = await Promise.all([signIn(), signIn()]);
  const path = `${member.id}/proof.png`;
  const bytes = await picture(1);
  const headers = { apikey: SUPABASE_ANON_KEY, authorization: `Bearer ${await tokenFor(member)}` };
  await fetch(`${SUPABASE_URL}/storage/v1/object/proofs/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'image/png' },
    body: bytes,
  });
  const sign = (who: typeof member) => who.post('/functions/v1/sign-proof', { path, expiresIn: 999_999 });
  expect((await sign(member)).status).toBe(404);
  expect((await member.post('/functions/v1/verify-upload', { bucket: 'proofs', path })).status).toBe(200);

  const answer = await sign(member);
  expect(answer.status).toBe(200);
  const { url } = (await answer.json()) as { url: string };
  const file = await fetch(`${SUPABASE_URL}${url}`);
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
  const token = new URL(url, SUPABASE_URL).searchParams.get('token') ?? '';
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    iat: number;
    exp: number;
  };
  expect(claims.exp - claims.iat).toBe(300);

  const refused = await sign(stranger);
  expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'FILE_NOT_FOUND' }]);
  await sql().query('update public.user_profiles set suspended_at = now() where user_id = $1', [member.id]);
  expect((await sign(member)).status).toBe(403);
});

it('refuses what the database cannot read, and what it refuses to read for this caller, and does not call it an outage', async () => {
  const { SUPABASE_URL } = testEnv();
  const member = await signIn();
  for (const character of ['\u0000', '\ud800']) {
    const unreadable = await member.post('/functions/v1/sign-proof', { path: `${member.id}/${character}.png` });
    expect([unreadable.status, await unreadable.json()]).toMatchObject([400, { code: 'INVALID_INPUT' }]);
  }
  // Valid for this function and not for the database, as a token is that expires between the two.
  const authorization = `Bearer ${await tokenFor(member, { claims: { role: 'nobody' } })}`;
  const refused = await fetch(`${SUPABASE_URL}/functions/v1/sign-proof`, {
    method: 'POST',
    headers: { apikey: testEnv().SUPABASE_ANON_KEY, authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ path: `${member.id}/proof.png` }),
  });
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }]);
});
