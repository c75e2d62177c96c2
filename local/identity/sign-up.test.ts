import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIdentity } from './index.ts';
import type { Browser } from './testing/browser.ts';
import { anotherCode, type RunningIdentity, runIdentity } from './testing/run-identity.ts';
import { codeLifetimeMs } from './verification.ts';

const grace = { email_address: 'grace@example.com', password: 'compile it', first_name: 'Grace', last_name: 'Hopper' };

let running: RunningIdentity;

beforeEach(async () => {
  running = await runIdentity();
});

afterEach(async () => {
  vi.useRealTimers();
  await running.stop();
});

/** Fills in the form and has the code mailed; returns the path of the attempt. */
async function fill(browser: Browser, form: Record<string, string> = grace) {
  const started = await browser.post('/v1/client/sign_ups', form);
  const path = `/v1/client/sign_ups/${started.body.response?.id}`;
  await browser.post(`${path}/prepare_verification`, { strategy: 'email_code' });
  return path;
}

test('the account exists and is signed in only after the mailed code is entered', async () => {
  const browser = running.browser();
  const path = await fill(browser, { ...grace, unsafe_metadata: '{"selectedRole":"community"}' });
  expect(running.identity.users.list()).toEqual([]);

  const form = { strategy: 'email_code', code: running.lastCode(grace.email_address) };
  const done = await browser.post(`${path}/attempt_verification`, form);
  expect(done.body.response?.status).toBe('complete');
  expect(await browser.sessionId()).toBe(done.body.response?.created_session_id);
  expect(running.identity.users.find(grace.email_address)).toMatchObject({
    id: done.body.response?.created_user_id,
    firstName: 'Grace',
    lastName: 'Hopper',
    unsafeMetadata: { selectedRole: 'community' },
    publicMetadata: {},
  });
});

test('the account is persisted before the sign-up is answered, so that a killed process loses nothing', async () => {
  const browser = running.browser();
  const path = await fill(browser);
  const form = { strategy: 'email_code', code: running.lastCode(grace.email_address) };
  const done = await browser.post(`${path}/attempt_verification`, form);
  // What another process would find in the directory, while this one is still running.
  const heir = await createIdentity({ dataDir: running.dataDir, sendMail: () => undefined });
  expect(heir.users.find(grace.email_address)?.id).toBe(done.body.response?.created_user_id);
});

test('a wrong or expired code creates no account', async () => {
  const browser = running.browser();
  const path = await fill(browser);
  const code = running.lastCode(grace.email_address);
  const wrong = await browser.post(`${path}/attempt_verification`, {
    strategy: 'email_code',
    code: anotherCode(code),
  });
  expect(wrong).toMatchObject({ status: 422, error: 'form_code_incorrect' });
  expect(wrong.body.errors?.[0]?.long_message).toBe('Incorrect code');

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + codeLifetimeMs + 1 });
  const late = await browser.post(`${path}/attempt_verification`, { strategy: 'email_code', code });
  expect(late).toMatchObject({ status: 400, error: 'verification_expired' });
  expect(running.identity.users.list()).toEqual([]);
});

test('names are optional; e-mail and password are not', async () => {
  const browser = running.browser();
  const started = await browser.post('/v1/client/sign_ups', { email_address: grace.email_address });
  expect(started.body.response).toMatchObject({ status: 'missing_requirements', missing_fields: ['password'] });
  const path = `/v1/client/sign_ups/${started.body.response?.id}`;
  await browser.post(`${path}/prepare_verification`, { strategy: 'email_code' });
  const code = running.lastCode(grace.email_address);
  const proved = await browser.post(`${path}/attempt_verification`, { strategy: 'email_code', code });
  expect(proved.body.response?.status).toBe('missing_requirements');
  const done = await browser.change('PATCH', path, { password: grace.password });
  expect(done.body.response?.status).toBe('complete');
});

test.each([
  ['form_param_format_invalid', { email_address: 'no address' }],
  ['form_password_length_too_short', { password: 'seven77' }],
  ['form_password_length_too_long', { password: 'x'.repeat(73) }],
  ['form_param_unknown', { public_metadata: '{"role":"admin"}' }],
  ['form_param_value_invalid', { unsafe_metadata: 'not json' }],
])('refuses with %s', async (code, flaw) => {
  const refused = await running.browser().post('/v1/client/sign_ups', { ...grace, ...flaw });
  expect(refused).toMatchObject({ status: 422, error: code });
});

test('an address that has an account is refused, in any spelling', async () => {
  await running.identity.users.create({ email: grace.email_address });
  const refused = await running.browser().post('/v1/client/sign_ups', { ...grace, email_address: 'Grace@Example.com' });
  expect(refused).toMatchObject({ status: 422, error: 'form_identifier_exists' });
});

test('of two sign-ups with one address only the first to verify it gets an account', async () => {
  const [first, second] = [running.browser(), running.browser()];
  const secondPath = await fill(second);
  const secondCode = running.lastCode(grace.email_address);
  const firstPath = await fill(first);
  const firstCode = running.lastCode(grace.email_address);

  await first.post(`${firstPath}/attempt_verification`, { strategy: 'email_code', code: firstCode });
  const beaten = await second.post(`${secondPath}/attempt_verification`, { strategy: 'email_code', code: secondCode });
  expect(beaten.error).toBe('form_identifier_exists');
  expect(running.identity.users.list()).toHaveLength(1);
});

test('a verified address cannot be replaced before the account is created', async () => {
  const browser = running.browser();
  const started = await browser.post('/v1/client/sign_ups', { email_address: grace.email_address });
  const path = `/v1/client/sign_ups/${started.body.response?.id}`;
  await browser.post(`${path}/prepare_verification`, { strategy: 'email_code' });
  const code = running.lastCode(grace.email_address);
  await browser.post(`${path}/attempt_verification`, { strategy: 'email_code', code });

  const form = { email_address: 'victim@example.com', password: grace.password };
  const swapped = await browser.change('PATCH', path, form);
  expect(swapped.body.response?.status).toBe('missing_requirements');
  expect(running.identity.users.list()).toEqual([]);
});
