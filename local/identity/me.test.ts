import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UserEvent } from './services.ts';
import type { Browser } from './testing/browser.ts';
import { anotherCode, type RunningIdentity, runIdentity } from './testing/run-identity.ts';

const ada = { email: 'ada@example.com', password: 'correct horse', name: 'Ada Lovelace' };

let running: RunningIdentity;
let browser: Browser;

beforeEach(async () => {
  running = await runIdentity();
  await running.identity.users.create({ ...ada, id: 'user_ada' });
  browser = running.browser();
  await browser.signIn(ada.email, ada.password);
});

afterEach(() => running.stop());

test('a visitor has no account page', async () => {
  expect(await running.browser().get('/v1/me')).toMatchObject({ status: 401, error: 'signed_out' });
});

test('names change, also in the next token', async () => {
  await browser.change('PATCH', '/v1/me', { first_name: 'Augusta', last_name: 'King' });
  expect(decodeJwt(await browser.token()).name).toBe('Augusta King');
});

test('the browser cannot change public metadata; the server sets it, and the next token contains it', async () => {
  for (const path of ['/v1/me', '/v1/me/metadata']) {
    const refused = await browser.change('PATCH', path, { public_metadata: '{"role":"admin"}' });
    expect(refused).toMatchObject({ status: 422, error: 'form_param_unknown' });
  }
  await browser.change('PATCH', '/v1/me/metadata', { unsafe_metadata: '{"role":"admin","public_metadata":{}}' });
  expect(decodeJwt(await browser.token()).public_metadata).toEqual({});

  running.identity.users.setPublicMetadata('user_ada', { role: 'admin' });
  expect(decodeJwt(await browser.token()).public_metadata).toEqual({ role: 'admin' });
});

test('unsafe metadata is merged deeply, and null removes a key', async () => {
  await browser.change('PATCH', '/v1/me', { unsafe_metadata: '{"a":{"b":1,"c":2},"d":3}' });
  const merged = await browser.change('PATCH', '/v1/me/metadata', { unsafe_metadata: '{"a":{"b":null,"e":4}}' });
  expect(merged.body.response?.unsafe_metadata).toEqual({ a: { c: 2, e: 4 }, d: 3 });
});

test('a new password needs the current one and can end the other sessions', async () => {
  const elsewhere = running.browser();
  await elsewhere.signIn(ada.email, ada.password);
  const form = { new_password: 'a new password', sign_out_of_other_sessions: 'true' };
  const refused = await browser.post('/v1/me/change_password', { ...form, current_password: 'wrong horse' });
  expect(refused).toMatchObject({ status: 422, error: 'form_password_validation_failed' });
  const changed = await browser.post('/v1/me/change_password', { ...form, current_password: ada.password });
  expect(changed.status).toBe(200);
  expect(await elsewhere.isSignedIn()).toBe(false);
  expect(await browser.isSignedIn()).toBe(true);
  expect((await elsewhere.signIn(ada.email, form.new_password)).status).toBe(200);
});

test('a further address counts once it is verified, and can become the primary one', async () => {
  const address = 'ada@work.example.com';
  const added = await browser.post('/v1/me/email_addresses/', { email_address: address });
  const id = added.body.response?.id ?? '';
  const path = `/v1/me/email_addresses/${id}`;
  expect(running.identity.users.find(address)).toBeUndefined();
  expect((await browser.change('PATCH', '/v1/me', { primary_email_address_id: id })).status).toBe(422);

  await browser.post(`${path}/prepare_verification`, { strategy: 'email_code' });
  const code = running.lastCode(address);
  expect((await browser.post(`${path}/attempt_verification`, { code: anotherCode(code) })).status).toBe(422);
  expect((await browser.post(`${path}/attempt_verification`, { code })).status).toBe(200);
  await browser.change('PATCH', '/v1/me', { primary_email_address_id: id });
  expect(decodeJwt(await browser.token())).toMatchObject({ email: address, email_verified: true });
  expect((await browser.change('DELETE', path)).status).toBe(400);
});

test("another user's address cannot be added", async () => {
  await running.identity.users.create({ email: 'bob@example.com' });
  const refused = await browser.post('/v1/me/email_addresses', { email_address: 'BOB@example.com' });
  expect(refused.error).toBe('form_identifier_exists');
});

test('one device can sign out another', async () => {
  const elsewhere = running.browser();
  await elsewhere.signIn(ada.email, ada.password);
  const revoked = await browser.post(`/v1/me/sessions/${await elsewhere.sessionId()}/revoke`);
  expect(revoked.body.response?.status).toBe('revoked');
  expect(await elsewhere.isSignedIn()).toBe(false);
});

test('a deleted account is gone in every browser', async () => {
  const elsewhere = running.browser();
  await elsewhere.signIn(ada.email, ada.password);
  await browser.change('DELETE', '/v1/me');
  expect(await browser.isSignedIn()).toBe(false);
  expect(await elsewhere.isSignedIn()).toBe(false);
  expect((await browser.signIn(ada.email, ada.password)).error).toBe('form_identifier_not_found');
});

test('the listener is told of a deleted account once, and only then', async () => {
  const deleted: string[] = [];
  const other = await runIdentity({ onUserEvent: ({ type, data }) => deleted.push(`${type} ${data.id}`) });
  try {
    const { id } = await other.identity.users.create(ada);
    const page = other.browser();
    await page.signIn(ada.email, ada.password);
    expect(deleted).toEqual([]);
    await page.change('DELETE', '/v1/me');
    expect(deleted).toEqual([`user.deleted ${id}`]);
  } finally {
    await other.stop();
  }
});

test('a picture is uploaded, shown, replaced and removed, and the server is told each time', async () => {
  const events: UserEvent[] = [];
  await running.stop();
  running = await runIdentity({ onUserEvent: (event) => events.push(event) });
  await running.identity.users.create({ ...ada, id: 'user_ada' });
  browser = running.browser();
  await browser.signIn(ada.email, ada.password);
  const upload = (picture: File) => browser.upload('/v1/me/profile_image', picture);
  const shown = async () => (await browser.get('/v1/me')).body.response;
  const read = (url = '') => fetch(url.replace('http://app.test', running.url));

  await upload(new File(['first'], 'me.png', { type: 'image/png' }));
  const first = await shown();
  expect(first).toMatchObject({
    has_image: true,
    image_url: expect.stringMatching(/^http:\/\/app\.test\/__clerk\/pictures\//),
  });
  const answer = await read(first?.image_url);
  expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['image/png', 'first']);

  await upload(new File(['second'], 'me.webp', { type: 'image/webp' }));
  const second = await shown();
  expect(await (await read(second?.image_url)).text()).toBe('second');
  expect((await read(first?.image_url)).status).toBe(404);

  const script = new File(['<svg/>'], 'me.svg', { type: 'image/svg+xml' });
  expect(await upload(script)).toMatchObject({ status: 422, error: 'image_type_not_supported' });
  const huge = new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'me.png', { type: 'image/png' });
  expect(await upload(huge)).toMatchObject({ status: 413, error: 'image_too_large' });
  expect((await shown())?.image_url).toBe(second?.image_url);

  await browser.change('DELETE', '/v1/me/profile_image');
  expect((await shown())?.has_image).toBe(false);
  expect((await read(second?.image_url)).status).toBe(404);
  expect(events.map(({ type }) => type)).toEqual(['user.updated', 'user.updated', 'user.updated']);
});
