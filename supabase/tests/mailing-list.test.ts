import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { asAnon, asService, newPersona, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  FORBIDDEN,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  refusal,
  unwrap,
} from './support/factories.ts';
import { answerDuring } from './support/locks.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

// All visitors in this file share one address.
beforeEach(() => sql().query("delete from private.rate_limits where subject like 'visitor:%'"));

const freshAddress = () => newPersona('mail').email;
const subscribe = (email: string, source = 'website', client = asAnon()) =>
  client.rpc('subscribe_to_mailing_list', {
    p_email: email,
    p_source: source,
    p_metadata: { page_url: '/', timestamp: 't' },
  });
const entry = async (email: string) =>
  (await sql().query('select * from public.mailing_list where email = $1', [email])).rows[0];
const tokenOf = (email: string) => unwrap(asService().rpc('get_unsubscribe_token', { p_email: email }));
const unsubscribe = async (email: string) =>
  unwrap(asAnon().rpc('unsubscribe_from_mailing_list', { p_token: await tokenOf(email) }));
const confirmationOf = async (email: string) =>
  (await asService().rpc('get_confirmation_token', { p_email: email })).data as string | null;
const confirm = (token: string) => asAnon().rpc('confirm_mailing_list_subscription', { p_token: token });
const isOptedOut = async (email: string) => (await asService().rpc('is_opted_out', { p_email: email })).data;

/** Pending confirmation mails. */
async function requestsFor(email: string): Promise<number> {
  const { rows } = await sql().query(
    `select count(*)::int as total from public.outbox_events o join public.mailing_list m on m.id = (o.payload ->> 'entry_id')::uuid
     where o.type = 'SubscriptionRequested' and m.email = $1`,
    [email],
  );
  return rows[0].total;
}

/** Subscribes an address and confirms through the link of its mail. */
async function subscribeAndConfirm(email: string, source?: string): Promise<void> {
  await unwrap(subscribe(email, source));
  await unwrap(confirm((await confirmationOf(email)) ?? ''));
}

/** Skips the intervals between confirmation mails. */
const passTime = () => sql().query("delete from private.rate_limits where action like 'confirmation%'");

const NO_LONGER_VALID = {
  status: 404,
  code: 'INVALID_CONFIRMATION_TOKEN',
  message: 'This link is no longer valid. Please subscribe again.',
};
const NOT_CONFIRMED = {
  status: 409,
  code: 'NOT_CONFIRMED',
  message: 'Only the holder of this address can put it on the list, by the link in our mail',
};

test('DB-17 MAIL-01 C-82 anyone can subscribe an address; it is on the list once its holder has confirmed through the link', async () => {
  const email = freshAddress();
  const [first, second] = [await subscribe(` ${email.toUpperCase()} `), await subscribe(email)];
  expect([first.error, first.data, second.data]).toEqual([null, 'confirm', 'confirm']);
  expect(await entry(email)).toMatchObject({
    source: 'website',
    is_active: false,
    status: 'pending',
    user_id: null,
    metadata: { page_url: '/', timestamp: 't' },
  });
  expect(await requestsFor(email)).toBe(1);

  const token = (await confirmationOf(email)) ?? '';
  for (let i = 0; i < 2; i += 1) expect((await confirm(token)).error).toBeNull();
  expect(await entry(email)).toMatchObject({ is_active: true, status: 'active', confirmed_at: expect.any(Date) });
});

test('C-82 the answer is the same for a new, pending, active or unsubscribed address', async () => {
  const [fresh, pending, active, left] = [freshAddress(), freshAddress(), freshAddress(), freshAddress()];
  await subscribe(pending);
  await subscribeAndConfirm(active);
  await subscribeAndConfirm(left);
  await unsubscribe(left);
  const before = [await entry(active), await entry(left)];
  await passTime();
  for (const email of [fresh, pending, active, left]) {
    expect(await subscribe(email, 'elsewhere')).toMatchObject({ data: 'confirm', error: null, status: 200 });
  }
  // A stranger changes no entry but a pending one, and causes no mail to whoever is on the list.
  expect([await entry(active), await entry(left)]).toEqual(before);
  expect((await entry(pending)).source).toBe('elsewhere');
  expect([await requestsFor(active), await requestsFor(pending)]).toEqual([1, 2]);
});

test("MAIL-02 C-82 TRUST-25 whoever unsubscribed comes back only through the link of a new mail, never by a stranger's action", async () => {
  const [email, stranger] = [freshAddress(), await newMember()];
  await subscribeAndConfirm(email);
  await unsubscribe(email);
  const { unsubscribed_at } = await entry(email);
  await unsubscribe(email);
  await passTime();
  await subscribe(email);
  await subscribe(email, 'website', stranger.client);
  expect(await entry(email)).toMatchObject({ status: 'unsubscribed', is_active: false, unsubscribed_at });
  expect(await isOptedOut(email)).toBe(true);

  const token = (await confirmationOf(email)) ?? '';
  await unwrap(confirm(token));
  expect(await entry(email)).toMatchObject({ status: 'active', unsubscribed_at: null });
  expect(await isOptedOut(email)).toBe(false);

  // Unsubscribing invalidates earlier links: they cannot bring the address back later.
  await unsubscribe(email);
  expect(await refusal(confirm(token))).toEqual(NO_LONGER_VALID);
  expect(await entry(email)).toMatchObject({ status: 'unsubscribed' });
});

test('C-82 a link that is confirmed while its address is being unsubscribed brings nobody back', async () => {
  const email = freshAddress();
  await subscribe(email);
  const [link, unsubscribing] = [await confirmationOf(email), await tokenOf(email)];
  const confirmed = await answerDuring(
    (client) => client.query('select public.unsubscribe_from_mailing_list($1)', [unsubscribing]),
    () => confirm(link ?? ''),
  );
  expect(await refusal(Promise.resolve(confirmed))).toEqual(NO_LONGER_VALID);
  expect(await entry(email)).toMatchObject({ status: 'unsubscribed', is_active: false });
  expect(await isOptedOut(email)).toBe(true);
});

test('TRUST-28 unsubscribing while the account is being erased does not put the address back into the list', async () => {
  const member = await newMember();
  await subscribe(member.email, 'website', member.client);
  const unsubscribing = await tokenOf(member.email);
  const unsubscribed = await answerDuring(
    (client) => client.query('select public.anonymise_user($1)', [member.id]),
    () => asAnon().rpc('unsubscribe_from_mailing_list', { p_token: unsubscribing }),
  );
  expect(await refusal(Promise.resolve(unsubscribed))).toMatchObject({ code: 'INVALID_UNSUBSCRIBE_TOKEN' });
  expect(await entry(member.email)).toBeUndefined();
});

test('C-82 the signed-in holder of a verified address is subscribed, and resubscribed, at once', async () => {
  const member = await newMember();
  const own = () => subscribe(member.email.toUpperCase(), 'website', member.client);
  await unwrap(subscribe(member.email)); // As a visitor, who is sent a mail.
  expect((await own()).data).toBe('active');
  const first = await entry(member.email);
  expect(first).toMatchObject({ status: 'active', user_id: member.id });
  expect((await subscribe(member.email, 'footer', member.client)).data).toBe('active');
  expect(await entry(member.email)).toEqual(first);
  await unsubscribe(member.email);
  expect(await isOptedOut(member.email)).toBe(true);
  expect((await own()).data).toBe('active');
  expect(await entry(member.email)).toMatchObject({ status: 'active' });
  expect([await isOptedOut(member.email), await requestsFor(member.email)]).toEqual([false, 1]);

  const unverified = await newMember('unverified', { email_verified: false });
  expect((await subscribe(unverified.email, 'website', unverified.client)).data).toBe('confirm');
  expect(await entry(unverified.email)).toMatchObject({ status: 'pending', user_id: null });
});

test('TRUST-25 an opt-out survives the account and its entry, whatever the spelling of the address', async () => {
  const [member, other] = [await newMember(), await newMember()];
  await subscribe(member.email, 'website', member.client);
  await subscribe(other.email, 'website', other.client);
  await unsubscribe(member.email);
  for (const { id } of [member, other]) await unwrap(asService().rpc('anonymise_user', { p_user_id: id }));
  expect(await entry(member.email)).toBeUndefined();
  expect([await isOptedOut(member.email.toUpperCase()), await isOptedOut(other.email)]).toEqual([true, false]);
  // What is kept does not contain the address.
  const { rows } = await sql().query<{ mailbox: Buffer }>('select mailbox from private.opt_outs');
  expect(rows.map(({ mailbox }) => mailbox.toString('latin1')).join()).not.toContain(member.email.split('@')[0]);

  // Neither a new account with the address nor a stranger's form submission changes it.
  await newMember('again', { email: member.email });
  await subscribe(member.email);
  await subscribeAndConfirm(freshAddress());
  expect(await isOptedOut(member.email)).toBe(true);
});

test('TRUST-25 an opt-out outlives the return of the same mailbox under another spelling', async () => {
  const name = randomUUID().slice(0, 8);
  const [dotted, plain] = [`a.${name}@gmail.com`, `a${name}@gmail.com`];
  await unsubscribe(dotted);
  await subscribeAndConfirm(plain);
  expect([await isOptedOut(dotted), await isOptedOut(plain)]).toEqual([true, false]);
});

test('C-82 an address gets one confirmation mail in five minutes and three a day, whoever subscribes it', async () => {
  const email = freshAddress();
  for (let round = 1; round <= 5; round += 1) {
    for (let call = 0; call < 3; call += 1) await unwrap(subscribe(email));
    expect(await requestsFor(email), `round ${round}`).toBe(Math.min(round, 3));
    await sql().query("delete from private.rate_limits where action = 'confirmation'");
  }
});

test('DB-17 a subscription records the published quest on whose page the address was entered, and nothing else', async () => {
  const owner = await newOwner();
  const { campaign: shown } = await newQuest(owner);
  const other = await newOwner();
  const { campaign: hidden } = await newQuest(other);
  await unwrap(other.client.rpc('unpublish_campaign', { p_campaign_id: hidden.id }));
  const email = freshAddress();
  for (const [campaign_id, expected] of [
    [shown.id, shown.id],
    [hidden.id, null],
    ['nonsense', null],
  ]) {
    await unwrap(asAnon().rpc('subscribe_to_mailing_list', { p_email: email, p_metadata: { campaign_id } }));
    expect(await entry(email)).toMatchObject({ campaign_id: expected, metadata: { campaign_id } });
  }
});

test('what comes with a subscription is an object of at most 2,000 characters', async () => {
  const subscribeWith = (p_metadata: Json) =>
    asAnon().rpc('subscribe_to_mailing_list', { p_email: freshAddress(), p_metadata });
  const ofLength = (length: number) => ({ a: 'x'.repeat(length - '{"a": ""}'.length) });
  expect((await subscribeWith(ofLength(2000))).error).toBeNull();
  for (const tooMuch of [ofLength(2001), ['a list'], 'a text'])
    expect(await refusal(subscribeWith(tooMuch))).toMatchObject({ status: 400, code: 'INVALID_METADATA' });
});

test('C-82 links are valid for a week, and people can neither guess, create nor read them', async () => {
  const [email, member] = [freshAddress(), await newMember()];
  await subscribe(email);
  const token = (await confirmationOf(email)) ?? '';
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const putBack = (age: string) =>
    sql().query('update private.mailing_list_confirmations set requested_at = now() - $2::interval where email = $1', [
      email,
      age,
    ]);
  await putBack('6 days 23:59');
  expect(await confirmationOf(email)).toBe(token);
  await putBack('7 days 00:01');
  await changesNothing(async () => {
    for (const wrong of [token, '', email, 'x'.repeat(2001), "' or true --", '0'.repeat(64)]) {
      expect(await refusal(confirm(wrong))).toEqual(NO_LONGER_VALID);
    }
    for (const client of [member.client, asAnon()]) {
      expect((await refusal(client.rpc('get_confirmation_token', { p_email: email }))).status).toBeOneOf([401, 403]);
      expect((await refusal(client.rpc('is_opted_out', { p_email: email }))).status).toBeOneOf([401, 403]);
    }
  });
  expect(await confirmationOf(email)).toBeNull();
  // Asking again makes it valid for another week.
  await passTime();
  await subscribe(email);
  expect(await confirmationOf(email)).toBe(token);
  await putBack('6 days 23:59');
  expect((await confirm(token)).error).toBeNull();
});

test('C-50 people can neither guess, create nor read unsubscribe tokens', async () => {
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
  for (const nobody of ['nobody', ' ']) expect(await tokenOf(nobody)).toBeNull();
});

test('C-50 an address that was never on the list can opt out through the link of any mail, which concerns no other one', async () => {
  const [email, other] = [freshAddress(), freshAddress()];
  await subscribe(other);
  const link = (await confirmationOf(other)) ?? '';
  await unsubscribe(email);
  expect((await confirm(link)).error).toBeNull();
  expect(await entry(email)).toMatchObject({ source: 'email', status: 'unsubscribed' });
  expect(await isOptedOut(email)).toBe(true);
});

test('MAIL-01 refuses bad input with the exact sentences and changes nothing', async () => {
  const cases = [
    ['', 'website', 'EMAIL_REQUIRED', 'Email is required'],
    ['nobody', 'website', 'INVALID_EMAIL', 'Please enter a valid email address'],
    ['<script>@x.y', 'website', 'INVALID_EMAIL', 'Please enter a valid email address'],
    // Full-width signs, with which no mailbox can be told.
    ['ada（home）@example.com', 'website', 'INVALID_EMAIL', 'Please enter a valid email address'],
    ['ada＠example.com', 'website', 'INVALID_EMAIL', 'Please enter a valid email address'],
    ['nobody＠nowhere@example.com', 'website', 'INVALID_EMAIL', 'Please enter a valid email address'],
    [`${'x'.repeat(2001)}@example.com`, 'website', 'INVALID_EMAIL', 'Please enter a valid email address'],
    ['a@example.com', "web'; --", 'INVALID_SOURCE', 'Unknown source'],
  ] as const;
  await changesNothing(async () => {
    for (const [email, source, code, message] of cases) {
      expect(await refusal(subscribe(email, source)), email.slice(0, 30)).toEqual({ status: 400, code, message });
    }
  });
});

const switchEntry = async (who: Member, email: string, isActive: boolean) =>
  who.client.rpc('set_mailing_list_active', { p_entry_id: (await entry(email)).id, p_is_active: isActive });

test('DB-17 ADMIN-07 C-50 only admins see the numbers and switch entries', async () => {
  const [admin, member, email] = [await newAdmin(), await newMember(), freshAddress()];
  const stats = () => unwrap(admin.client.rpc('get_mailing_list_stats'));
  const before = await stats();
  await subscribe(freshAddress(), 'campaign');
  expect(await stats()).toEqual(before);
  await subscribeAndConfirm(email, 'campaign');
  const number = (value: unknown, name: string) => Number(Reflect.get(Object(value), name));
  for (const name of ['total_subscribers', 'recent_subscribers', 'campaign_subscribers']) {
    expect(number(await stats(), name), name).toBe(number(before, name) + 1);
  }
  expect(await changesNothing(async () => refusal(switchEntry(member, email, false)))).toEqual(FORBIDDEN);
  for (const _ of [1, 2])
    expect(await unwrap(switchEntry(admin, email, false))).toMatchObject({ is_active: false, status: 'unsubscribed' });
  expect(await isOptedOut(email)).toBe(true);
  expect(await unwrap(switchEntry(admin, email, true))).toMatchObject({ is_active: true, unsubscribed_at: null });
  expect(await isOptedOut(email)).toBe(false);
  const [other, listed] = [freshAddress(), await stats()];
  await subscribeAndConfirm(other, 'website');
  await unwrap(switchEntry(admin, other, false));
  expect(await stats()).toEqual(listed);
  expect(await unwrap(member.client.from('mailing_list').select('email'))).toEqual([]);
  const unknown = { p_entry_id: randomUUID(), p_is_active: false };
  expect(await refusal(admin.client.rpc('set_mailing_list_active', unknown))).toEqual({
    status: 404,
    code: 'SUBSCRIBER_NOT_FOUND',
    message: 'Subscriber not found',
  });
});

test('TRUST-25 C-82 an admin can neither undo an opt-out nor skip the confirmation', async () => {
  const [admin, pending, left, both] = [await newAdmin(), freshAddress(), freshAddress(), freshAddress()];
  await subscribe(pending);
  for (const email of [left, both]) await subscribeAndConfirm(email);
  await unsubscribe(left);
  await changesNothing(async () => {
    for (const email of [pending, left]) {
      expect(await refusal(switchEntry(admin, email, true)), email).toEqual(NOT_CONFIRMED);
    }
  });
  // What is active already may be activated on another admin's screen.
  expect(await unwrap(switchEntry(admin, both, true))).toMatchObject({ is_active: true });
  // Deactivating an entry does not let admins activate one that was never confirmed or whose holder opts out, before or after.
  for (const email of [pending, left, both]) await unwrap(switchEntry(admin, email, false));
  await unsubscribe(both);
  for (const email of [pending, left, both]) {
    expect(await refusal(switchEntry(admin, email, true)), email).toEqual(NOT_CONFIRMED);
  }
});

test('ADMIN-07 C-82 admins list active, pending and unsubscribed entries', async () => {
  const [admin, label] = [await newAdmin(), newPersona('list').id];
  const [active, pending, left] = [`${label}-a@example.com`, `${label}-p@example.com`, `${label}-l@example.com`];
  await subscribeAndConfirm(active);
  await subscribe(pending);
  await unsubscribe(left);
  const list = async (status?: string) => {
    const rows = await unwrap(admin.client.rpc('admin_list_subscribers', { p_search: label, p_status: status }));
    return rows.map((row) => [row.email, row.status]).sort();
  };
  expect(await list()).toEqual([
    [active, 'active'],
    [left, 'unsubscribed'],
    [pending, 'pending'],
  ]);
  expect(await list('active')).toEqual([[active, 'active']]);
  expect(await list('pending')).toEqual([[pending, 'pending']]);
  expect(await list('unsubscribed')).toEqual([[left, 'unsubscribed']]);
});

test('MAIL-01 accepts twenty addresses a minute from one person, refuses the next without storing it, and does not affect others', async () => {
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
