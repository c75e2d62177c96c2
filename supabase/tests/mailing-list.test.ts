import { expect, test } from 'vitest';
import { asAnon, asService, newPersona, sql } from '../../local/testing/clients.ts';
import { FORBIDDEN, newAdmin, newMember, refusal, unwrap } from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const freshAddress = () => newPersona('mail').email;
const subscribe = (email: string, source = 'website') =>
  asAnon().rpc('subscribe_to_mailing_list', {
    p_email: email,
    p_source: source,
    p_metadata: { page_url: '/', timestamp: 't' },
  });
const entry = async (email: string) =>
  (await sql().query('select * from public.mailing_list where email = $1', [email])).rows[0];
const tokenOf = (email: string) => unwrap(asService().rpc('get_unsubscribe_token', { p_email: email }));

test('DB-17 MAIL-01 anyone subscribes; twice is one entry and the same answer', async () => {
  const email = freshAddress();
  const [first, second] = [await subscribe(` ${email.toUpperCase()} `), await subscribe(email)];
  expect([first.error, second.error, first.data]).toEqual([null, null, second.data]);
  expect(await entry(email)).toMatchObject({
    source: 'website',
    is_active: true,
    user_id: null,
    metadata: { page_url: '/', timestamp: 't' },
  });
});

test('MAIL-02 C-50 whoever holds the token unsubscribes, again is no error, and subscribing again reactivates', async () => {
  const email = freshAddress();
  await subscribe(email);
  const token = await tokenOf(email);
  for (let i = 0; i < 2; i += 1)
    expect((await asAnon().rpc('unsubscribe_from_mailing_list', { p_token: token })).error).toBeNull();
  expect(await entry(email)).toMatchObject({ is_active: false });
  expect((await subscribe(email)).error).toBeNull();
  expect(await entry(email)).toMatchObject({ is_active: true, unsubscribed_at: null });
});

test('C-50 tokens cannot be guessed, made or had by people', async () => {
  const [email, member] = [freshAddress(), await newMember()];
  await subscribe(email);
  await changesNothing(async () => {
    for (const token of ['', email, 'x'.repeat(2001), "' or true --", '0'.repeat(64)]) {
      expect(await refusal(asAnon().rpc('unsubscribe_from_mailing_list', { p_token: token }))).toEqual({
        status: 404,
        code: 'INVALID_UNSUBSCRIBE_TOKEN',
        message: 'This unsubscribe link is not valid',
      });
    }
    expect((await refusal(member.client.rpc('get_unsubscribe_token', { p_email: email }))).status).toBe(403);
  });
  expect(await tokenOf(email)).toMatch(/^[0-9a-f]{64}$/);
  expect(await tokenOf(freshAddress())).not.toBe(await tokenOf(email));
});

test('MAIL-01 refuses bad input with its sentences and changes nothing', async () => {
  const cases = [
    ['', 'website', 'EMAIL_REQUIRED', 'Email is required'],
    ['nobody', 'website', 'INVALID_EMAIL', 'Please enter a valid email address'],
    ['<script>@x.y', 'website', 'INVALID_EMAIL', 'Please enter a valid email address'],
    [`${'x'.repeat(2001)}@example.com`, 'website', 'INVALID_EMAIL', 'Please enter a valid email address'],
    ['a@example.com', "web'; --", 'INVALID_SOURCE', 'Unknown source'],
  ] as const;
  await changesNothing(async () => {
    for (const [email, source, code, message] of cases) {
      expect(await refusal(subscribe(email, source)), email.slice(0, 30)).toEqual({ status: 400, code, message });
    }
  });
});

test('DB-17 ADMIN-07 C-50 admins see the numbers and switch entries; nobody else does', async () => {
  const [admin, member, email] = [await newAdmin(), await newMember(), freshAddress()];
  const stats = () => unwrap(admin.client.rpc('get_mailing_list_stats'));
  const before = await stats();
  await subscribe(email, 'campaign');
  const number = (value: unknown, name: string) => Number(Reflect.get(Object(value), name));
  for (const name of ['total_subscribers', 'recent_subscribers', 'campaign_subscribers']) {
    expect(number(await stats(), name), name).toBe(number(before, name) + 1);
  }
  const { id } = await entry(email);
  const set = (who: typeof member, isActive: boolean) =>
    who.client.rpc('set_mailing_list_active', { p_entry_id: id, p_is_active: isActive });
  expect(await changesNothing(() => refusal(set(member, false)))).toEqual(FORBIDDEN);
  expect(await unwrap(set(admin, false))).toMatchObject({ is_active: false });
  expect(await unwrap(set(admin, true))).toMatchObject({ is_active: true, unsubscribed_at: null });
  expect(await unwrap(member.client.from('mailing_list').select('email'))).toEqual([]);
});

test('MAIL-01 takes twenty addresses a minute from one person; the next is refused and not stored, others go on', async () => {
  const [member, other] = [await newMember(), await newMember()];
  const add = (who: typeof member, email = freshAddress()) =>
    who.client.rpc('subscribe_to_mailing_list', { p_email: email, p_source: 'website' });
  for (let call = 1; call <= 20; call += 1) expect((await add(member)).error, `call ${call}`).toBeNull();
  const late = freshAddress();
  expect(await refusal(add(member, late))).toEqual({
    status: 429,
    code: 'RATE_LIMITED',
    message: 'Rate limit exceeded',
  });
  expect(await entry(late)).toBeUndefined();
  expect((await add(other)).error).toBeNull();
});
