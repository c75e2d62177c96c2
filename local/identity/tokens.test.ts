import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningIdentity, runIdentity } from './testing/run-identity.ts';

const ada = { email: 'ada@example.com', password: 'correct horse', name: 'Ada Lovelace' };
const issuer = 'https://clerk.example.test';

let running: RunningIdentity;

beforeAll(async () => {
  running = await runIdentity({ issuer });
  await running.identity.users.create({ ...ada, id: 'user_ada', publicMetadata: { role: 'admin' } });
});

afterAll(() => running.stop());

function verify(token: string) {
  const keys = createRemoteJWKSet(new URL(`${running.url}/.well-known/jwks.json`));
  return jwtVerify(token, keys, { issuer, algorithms: ['RS256'] });
}

test('a session token verifies against the published keys and contains the user, the session and the origin', async () => {
  const browser = running.browser();
  await browser.signIn(ada.email, ada.password);
  const { payload, protectedHeader } = await verify(await browser.token());

  expect(protectedHeader.kid).toBe(running.identity.jwks().keys[0]?.kid);
  expect(payload).toEqual({
    iss: issuer,
    sub: 'user_ada',
    sid: await browser.sessionId(),
    azp: 'http://app.test',
    iat: expect.any(Number),
    nbf: Number(payload.iat) - 10,
    exp: Number(payload.iat) + 60,
    jti: expect.any(String),
    v: 2,
    role: 'authenticated',
    email: ada.email,
    email_verified: true,
    name: ada.name,
    public_metadata: { role: 'admin' },
  });
});

test('the published key set contains no private key', () => {
  expect(Object.keys(running.identity.jwks().keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('a token with a changed claim does not verify', async () => {
  const browser = running.browser();
  await browser.signIn(ada.email, ada.password);
  const [header, , signature] = (await browser.token()).split('.');
  const forged = Buffer.from(JSON.stringify({ iss: issuer, sub: 'user_somebody' })).toString('base64url');
  await expect(verify(`${header}.${forged}.${signature}`)).rejects.toThrow('signature verification failed');
});

test('a token of another instance does not verify', async () => {
  const other = await runIdentity({ issuer });
  const stranger = await other.identity.users.create(ada);
  await expect(verify(await other.identity.mintToken(stranger))).rejects.toThrow();
  await other.stop();
});

test('a minted token has the requested lifetime and claims', async () => {
  const user = running.identity.users.find(ada.email);
  if (!user) throw new Error('The user is missing.');
  const token = await running.identity.mintToken(user, { ttlSeconds: 3600, claims: { role: 'service_role' } });
  const { payload } = await verify(token);
  expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
  expect(payload.role).toBe('service_role');
  await expect(verify(await running.identity.mintToken(user, { ttlSeconds: -1 }))).rejects.toThrow('"exp"');
});

test('a token can be minted for a person without an account here', async () => {
  const subject = { id: 'user_nobody', email: null, emailVerified: false, name: null, publicMetadata: {} };
  expect(decodeJwt(await running.identity.mintToken(subject)).sub).toBe('user_nobody');
});
