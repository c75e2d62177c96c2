import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RunningIdentity, runIdentity } from './testing/run-identity.ts';

const ada = { email: 'ada@example.com', password: 'correct horse' };
const bob = { email: 'bob@example.com', password: 'battery staple' };

let running: RunningIdentity;

beforeEach(async () => {
  running = await runIdentity();
  await running.identity.users.create({ ...ada, id: 'user_ada' });
  await running.identity.users.create({ ...bob, id: 'user_bob' });
});

afterEach(async () => {
  vi.useRealTimers();
  await running.stop();
});

test("the session's cookie is HttpOnly, scripts can read that there is one, and no visitor gets either before signing in", async () => {
  const browser = running.browser();
  const visit = await browser.get('/v1/client');
  expect(visit.body.response).toBeNull();
  expect(visit.headers.getSetCookie()).toEqual([]);
  const signedIn = await browser.signIn(ada.email, ada.password);
  expect(signedIn.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__client=[\w-]{43}; .*Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^__client_uat=[1-9]\d{9}; [^;]+; Path=\/; SameSite=Lax$/),
  ]);
  expect(signedIn.headers.get('cache-control')).toBe('no-store');
  const signedOut = await browser.change('DELETE', '/v1/client/sessions');
  expect(signedOut.headers.getSetCookie()).toEqual([expect.stringMatching(/^__client_uat=0; /)]);
});

test('two browsers have separate sessions', async () => {
  const [first, second] = [running.browser(), running.browser()];
  await first.signIn(ada.email, ada.password);
  expect(await second.isSignedIn()).toBe(false);
  await second.signIn(bob.email, bob.password);
  expect(decodeJwt(await first.token()).sub).toBe('user_ada');
  expect(decodeJwt(await second.token()).sub).toBe('user_bob');

  const stolen = await second.post(`/v1/client/sessions/${await first.sessionId()}/tokens`);
  expect(stolen.status).toBe(401);

  await first.change('DELETE', '/v1/client/sessions');
  expect(await first.isSignedIn()).toBe(false);
  expect(await second.isSignedIn()).toBe(true);
});

test.each(['DELETE all', 'remove one'])('sign-out (%s) ends the tokens of every tab', async (way) => {
  const browser = running.browser();
  await browser.signIn(ada.email, ada.password);
  const id = await browser.sessionId();
  if (way === 'DELETE all') await browser.change('DELETE', '/v1/client/sessions');
  else await browser.post(`/v1/client/sessions/${id}/remove`);
  const otherTab = await browser.post(`/v1/client/sessions/${id}/tokens`);
  expect(otherTab).toMatchObject({ status: 401, error: 'signed_out' });
});

test('one account at a time per browser', async () => {
  const browser = running.browser();
  await browser.signIn(ada.email, ada.password);
  expect(await browser.signIn(bob.email, bob.password)).toMatchObject({ status: 400, error: 'session_exists' });
});

test('an expired token is replaced by a fresh one of the same session', async () => {
  const short = await runIdentity({ tokenTtlSeconds: 1 });
  await short.identity.users.create(ada);
  const browser = short.browser();
  await browser.signIn(ada.email, ada.password);
  const before = decodeJwt(await browser.token());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
  expect(Number(before.exp) * 1000).toBeLessThan(Date.now());
  const after = decodeJwt(await browser.token());
  expect(Number(after.exp) * 1000).toBeGreaterThan(Date.now());
  expect(after.sid).toBe(before.sid);
  expect(after.jti).not.toBe(before.jti);
  await short.stop();
});

test('a session ends after seven days', async () => {
  const browser = running.browser();
  await browser.signIn(ada.email, ada.password);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 });
  expect(await browser.isSignedIn()).toBe(false);
});

test('a restart keeps users, sessions and the signing key', async () => {
  const browser = running.browser();
  await browser.signIn(ada.email, ada.password);
  const id = await browser.sessionId();
  const [key] = running.identity.jwks().keys;
  const { dataDir, url } = running;
  await running.stop({ keepData: true });

  running = await runIdentity({ dataDir });
  browser.moveTo(running.url);
  expect(running.url).not.toBe(url);
  expect(running.identity.jwks().keys).toEqual([key]);
  expect(await browser.sessionId()).toBe(id);
  expect(decodeJwt(await browser.token()).sub).toBe('user_ada');
  expect((await running.browser().signIn(bob.email, bob.password)).status).toBe(200);
});

test('the files contain no password and are readable only by their owner', async () => {
  await running.identity.close();
  const path = join(running.dataDir, 'identity.json');
  const text = await readFile(path, 'utf8');
  expect(text).toContain(ada.email);
  expect(text).not.toContain(ada.password);
  for (const file of ['identity.json', 'signing-key.json']) {
    expect((await stat(join(running.dataDir, file))).mode & 0o777).toBe(0o600);
  }
});

test('a damaged file is reported, not overwritten', async () => {
  const { dataDir } = running;
  await running.stop({ keepData: true });
  await writeFile(join(dataDir, 'identity.json'), '{"users":');
  await expect(runIdentity({ dataDir })).rejects.toThrow(/identity\.json is damaged/);
  await writeFile(join(dataDir, 'identity.json'), '{"version":1,"users":[],"clients":[]}');
  running = await runIdentity({ dataDir });
});
