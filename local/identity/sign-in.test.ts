import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { anotherCode, type RunningIdentity, runIdentity } from './testing/run-identity.ts';
import { codeLifetimeMs, maximumAttempts } from './verification.ts';

const ada = { email: 'ada@example.com', password: 'correct horse', name: 'Ada Lovelace' };

let running: RunningIdentity;

beforeEach(async () => {
  running = await runIdentity();
  await running.identity.users.create(ada);
});

afterEach(async () => {
  vi.useRealTimers();
  await running.stop();
});

/** Starts a sign-in and has a code mailed; returns the path of the attempt. */
async function prepare(browser: ReturnType<RunningIdentity['browser']>, strategy = 'email_code', email = ada.email) {
  const started = await browser.post('/v1/client/sign_ins', { identifier: email });
  const path = `/v1/client/sign_ins/${started.body.response?.id}`;
  const prepared = await browser.post(`${path}/prepare_first_factor`, { strategy });
  expect(prepared.status).toBe(200);
  return path;
}

test('an address without an account is refused', async () => {
  const refused = await running.browser().post('/v1/client/sign_ins', { identifier: 'nobody@example.com' });
  expect(refused).toMatchObject({ status: 422, error: 'form_identifier_not_found' });
});

test('the form offers password, code and reset', async () => {
  const started = await running.browser().post('/v1/client/sign_ins', { identifier: ' ADA@example.com ' });
  expect(started.body.response?.status).toBe('needs_first_factor');
  expect(started.body.response?.supported_first_factors?.map(({ strategy }) => strategy)).toEqual([
    'password',
    'email_code',
    'reset_password_email_code',
  ]);
});

test('a wrong password is reported at the password field, and the right one signs in', async () => {
  const browser = running.browser();
  const { body } = await browser.post('/v1/client/sign_ins', { identifier: ada.email });
  const path = `/v1/client/sign_ins/${body.response?.id}/attempt_first_factor`;

  const refused = await browser.post(path, { strategy: 'password', password: 'wrong horse' });
  expect(refused).toMatchObject({ status: 422, error: 'form_password_incorrect' });
  expect(refused.body.errors?.[0]?.meta.param_name).toBe('password');
  expect(await browser.isSignedIn()).toBe(false);

  const signedIn = await browser.post(path, { strategy: 'password', password: ada.password });
  expect(signedIn.body.response?.status).toBe('complete');
  expect(signedIn.body.client?.sessions[0]?.id).toBe(signedIn.body.response?.created_session_id);
});

test('after ten wrong passwords even the right one is refused for a while', async () => {
  const browser = running.browser();
  for (let tries = 0; tries < 10; tries++) expect((await browser.signIn(ada.email, 'wrong horse')).status).toBe(422);
  const refused = await browser.signIn(ada.email, ada.password);
  expect(refused).toMatchObject({ status: 429, error: 'too_many_requests' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
  expect((await browser.signIn(ada.email, ada.password)).body.response?.status).toBe('complete');
});

test('a mailed code signs in once; a wrong one does not', async () => {
  const browser = running.browser();
  const path = await prepare(browser);
  const code = running.lastCode(ada.email);
  expect(code).toMatch(/^\d{6}$/);

  const attempt = { strategy: 'email_code', code };
  const refused = await browser.post(`${path}/attempt_first_factor`, { ...attempt, code: anotherCode(code) });
  expect(refused).toMatchObject({ status: 422, error: 'form_code_incorrect' });
  expect((await browser.post(`${path}/attempt_first_factor`, attempt)).body.response?.status).toBe('complete');
  expect((await browser.post(`${path}/attempt_first_factor`, attempt)).status).toBe(404);
});

test('a code is invalid after five wrong tries', async () => {
  const browser = running.browser();
  const path = await prepare(browser);
  const code = running.lastCode(ada.email);
  for (let tries = 0; tries < maximumAttempts; tries++) {
    await browser.post(`${path}/attempt_first_factor`, { strategy: 'email_code', code: anotherCode(code) });
  }
  const refused = await browser.post(`${path}/attempt_first_factor`, { strategy: 'email_code', code });
  expect(refused).toMatchObject({ status: 400, error: 'verification_failed' });
  expect(await browser.isSignedIn()).toBe(false);
});

test('an expired code is refused, and a new one works', async () => {
  const browser = running.browser();
  const path = await prepare(browser);
  const code = running.lastCode(ada.email);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + codeLifetimeMs + 1 });
  const refused = await browser.post(`${path}/attempt_first_factor`, { strategy: 'email_code', code });
  expect(refused).toMatchObject({ status: 400, error: 'verification_expired' });

  await browser.post(`${path}/prepare_first_factor`, { strategy: 'email_code' });
  const fresh = { strategy: 'email_code', code: running.lastCode(ada.email) };
  expect((await browser.post(`${path}/attempt_first_factor`, fresh)).body.response?.status).toBe('complete');
});

test('the number of codes is limited', async () => {
  const browser = running.browser();
  const path = await prepare(browser);
  for (let sent = 1; sent < 10; sent++) await browser.post(`${path}/prepare_first_factor`, { strategy: 'email_code' });
  const refused = await browser.post(`${path}/prepare_first_factor`, { strategy: 'email_code' });
  expect(refused.status).toBe(429);
  expect(running.mails).toHaveLength(10);
});

test('another browser cannot continue the attempt', async () => {
  const path = await prepare(running.browser());
  const attempt = { strategy: 'email_code', code: running.lastCode(ada.email) };
  expect((await running.browser().post(`${path}/attempt_first_factor`, attempt)).status).toBe(404);
});

test('424242 works for test addresses only, which get no mail', async () => {
  const tester = 'ada+clerk_test@example.com';
  await running.identity.users.create({ email: tester });
  const attempt = { strategy: 'email_code', code: '424242' };

  const browser = running.browser();
  const testPath = await prepare(browser, 'email_code', tester);
  expect(running.mails).toEqual([]);
  expect((await browser.post(`${testPath}/attempt_first_factor`, attempt)).body.response?.status).toBe('complete');

  const stranger = running.browser();
  const path = await prepare(stranger);
  if (running.lastCode(ada.email) === attempt.code) return; // One run in a million draws this very code.
  expect((await stranger.post(`${path}/attempt_first_factor`, attempt)).error).toBe('form_code_incorrect');
});

test('a forgotten password is reset by code; the old one and other sessions end', async () => {
  const elsewhere = running.browser();
  await elsewhere.signIn(ada.email, ada.password);

  const browser = running.browser();
  const path = await prepare(browser, 'reset_password_email_code');
  const early = await browser.post(`${path}/reset_password`, { password: 'a new password' });
  expect(early.error).toBe('verification_not_sent');

  const code = running.lastCode(ada.email);
  const proved = await browser.post(`${path}/attempt_first_factor`, { strategy: 'reset_password_email_code', code });
  expect(proved.body.response?.status).toBe('needs_new_password');
  expect(await browser.isSignedIn()).toBe(false);
  const short = await browser.post(`${path}/reset_password`, { password: 'short' });
  expect(short.error).toBe('form_password_length_too_short');

  const form = { password: 'a new password', sign_out_of_other_sessions: 'true' };
  expect((await browser.post(`${path}/reset_password`, form)).body.response?.status).toBe('complete');
  expect(await elsewhere.isSignedIn()).toBe(false);
  expect((await elsewhere.signIn(ada.email, ada.password)).error).toBe('form_password_incorrect');
  expect((await elsewhere.signIn(ada.email, form.password)).status).toBe(200);
});

test('a code sent for one purpose does not work for the other', async () => {
  const browser = running.browser();
  const path = await prepare(browser);
  const code = running.lastCode(ada.email);
  const crossed = await browser.post(`${path}/attempt_first_factor`, { strategy: 'reset_password_email_code', code });
  expect(crossed.error).toBe('verification_not_sent');
});
