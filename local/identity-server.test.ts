import { expect, it } from 'vitest';
import { TOKEN_PATH } from './identity-server.ts';
import { testEnv } from './testing/clients.ts';

const env = testEnv();

const ask = (body: unknown, key = env.SUPABASE_SECRET_KEY) =>
  fetch(`${env.IDENTITY_URL}${TOKEN_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });

it('gives the developer a session token, and reports each failure in a sentence', async () => {
  const token = await ask({ email: 'token-test@example.com', ttlSeconds: 60 });
  expect([token.status, (await token.text()).split('.')]).toEqual([
    200,
    [expect.any(String), expect.any(String), expect.any(String)],
  ]);
  for (const body of [{ email: 'nobody@x', ttlSeconds: 60 }, { email: 'nobody', ttlSeconds: 60 }, {}, null]) {
    const refused = await ask(body);
    expect([refused.status, await refused.text()]).toEqual([400, 'That is not an e-mail address.']);
  }
  expect((await ask({ email: 'token-test@example.com', ttlSeconds: 60 }, 'sb_secret_other')).status).toBe(403);
});
