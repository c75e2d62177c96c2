import { beforeEach, describe, expect, test } from 'vitest';
import { asService, newPersona, sql } from '../../local/testing/clients.ts';
import { FORBIDDEN, newAdmin, newMember, refusal, unwrap } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

const service = asService();

// Clears the events of earlier tests.
beforeEach(() => sql().query('update public.outbox_events set processed_at = now() where processed_at is null'));
setUpDatabase();

async function emit(userId: string, count = 1): Promise<number[]> {
  const { rows } = await sql().query<{ id: string }>(
    `insert into public.outbox_events (type, user_id, payload) select 'Tested', $1, '{"n": 1}' from generate_series(1, $2) returning id`,
    [userId, count],
  );
  return rows.map(({ id }) => Number(id));
}

const claim = (limit = 100, leaseSeconds = 60) =>
  unwrap(service.rpc('claim_outbox_events', { p_limit: limit, p_lease_seconds: leaseSeconds }));

const fail = (
  id: number,
  attempt: number,
  kind: 'failure' | 'deferred' | 'uncertain' = 'failure',
  retryAfter?: number,
  error = 'down',
) =>
  unwrap(
    service
      .rpc('fail_outbox_event', {
        p_event_id: id,
        p_attempt: attempt,
        p_error: error,
        p_kind: kind,
        p_retry_after_seconds: retryAfter,
      })
      .then(always),
  );

const complete = (id: number) => unwrap(service.rpc('complete_outbox_event', { p_event_id: id }).then(always));

/** Procedures that return nothing answer without data. */
const always = ({ error }: { error: unknown }) => ({ data: true, error });

/** Lets the retry delay or the lease of all events expire. */
const passTime = () =>
  sql().query(
    'update public.outbox_events set next_attempt_at = now() where processed_at is null and failed_at is null',
  );

async function read(id: number) {
  const { rows } = await sql().query(
    `select attempts, last_error, processed_at is not null as processed, failed_at is not null as failed,
       round(extract(epoch from next_attempt_at - now()))::integer as pause
     from public.outbox_events where id = $1`,
    [id],
  );
  return rows[0];
}

describe('claim_outbox_events', () => {
  test("C-50 gives each event to one of several workers, with the recipient's address", async () => {
    const member = await newMember();
    const ids = await emit(member.id, 40);
    const batches = await Promise.all(Array.from({ length: 8 }, () => claim(10)));
    // The call itself creates events, such as the daily digest.
    const claimed = batches.flat().filter(({ type }) => type === 'Tested');
    expect(claimed.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
    expect(claimed[0]).toMatchObject({ type: 'Tested', attempt: 1, payload: { n: 1 }, email: member.email });
  });

  test('hands an event out again only after its lease has expired', async () => {
    const [id] = await emit('user_nobody');
    expect(await claim()).toMatchObject([{ id, attempt: 1, email: null }]);
    expect(await claim()).toEqual([]);
    await passTime();
    expect(await claim()).toMatchObject([{ id, attempt: 2 }]);
  });

  test('gives up an event whose worker dies every time', async () => {
    const [id = 0] = await emit('user_nobody');
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      expect(await claim()).toMatchObject([{ id, attempt }]);
      await passTime();
    }
    expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ failed: true, last_error: 'The worker never reported back' });
  });
});

describe('complete_outbox_event, fail_outbox_event', () => {
  test('a completed event never comes again', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
    await complete(id);
    await complete(id);
    await passTime();
    expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ processed: true, failed: false, last_error: null });
  });

  test('C-50 tries eight times with doubling delays, then leaves the event to the admin', async () => {
    const [id = 0] = await emit('user_nobody');
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await claim();
      await fail(id, attempt);
      pauses.push((await read(id)).pause);
      await passTime();
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600]);
    expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ attempts: 8, failed: true, last_error: 'down' });
  });

  test('C-50 survives a provider outage of a day: its failures do not count, and the event is retried every hour', async () => {
    const [id = 0] = await emit('user_nobody');
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 30; attempt += 1) {
      expect(await claim()).toMatchObject([{ id, attempt }]);
      await fail(id, attempt, 'deferred');
      pauses.push((await read(id)).pause);
      await passTime();
      await sql().query("update public.outbox_events set deferred_since = now() - interval '25 hours' where id = $1", [
        id,
      ]);
    }
    expect(pauses.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    expect(pauses.at(-1)).toBe(3600);
    expect(await read(id)).toMatchObject({ failed: false, attempts: 30 });
    // An error in the mail itself still ends it, after eight attempts of its own.
    for (let attempt = 31; attempt <= 38; attempt += 1) {
      expect(await claim()).toMatchObject([{ id, attempt }]);
      await fail(id, attempt);
      await passTime();
    }
    expect(await read(id)).toMatchObject({ failed: true });
  });

  /** Backdates the start of the provider outage, if there is one. */
  const putBackTrouble = (id: number, hours: number) =>
    sql().query(
      'update public.outbox_events set deferred_since = deferred_since - make_interval(hours => $2) where id = $1',
      [id, hours],
    );

  test('gives up after three days of provider outage, counted from the first failure', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
    await fail(id, 1, 'deferred');
    await putBackTrouble(id, 71);
    await passTime();
    expect(await claim()).toMatchObject([{ id, attempt: 2 }]);
    await fail(id, 2, 'deferred');
    await putBackTrouble(id, 2);
    await passTime();
    expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ failed: true, last_error: 'down' });
  });

  test('restarts the outage clock after the provider has refused the mail in between', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
    await fail(id, 1, 'deferred');
    await putBackTrouble(id, 71);
    await passTime();
    await claim();
    await fail(id, 2);
    // Its own first failure, whatever the outage.
    expect(await read(id)).toMatchObject({ pause: 30 });
    await passTime();
    await claim();
    await fail(id, 3, 'deferred');
    await putBackTrouble(id, 2);
    await passTime();
    expect(await claim()).toMatchObject([{ id, attempt: 4 }]);
  });

  test('keeps the first 500 characters of the error', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
    await fail(id, 1, 'failure', undefined, `${'a'.repeat(499)}bc`);
    expect((await read(id)).last_error).toBe(`${'a'.repeat(499)}b`);
  });

  test('waits as long as the provider asks, if that is longer', async () => {
    const [first = 0, second = 0, third = 0] = await emit('user_nobody', 3);
    await claim();
    await fail(first, 1, 'deferred', 7_200);
    await fail(second, 1, 'deferred', 5);
    await fail(third, 1, 'deferred', 1_000_000);
    // A day at most.
    expect([(await read(first)).pause, (await read(second)).pause, (await read(third)).pause]).toEqual([
      7_200, 30, 86_400,
    ]);
  });

  test('does not retry a mail that may have been sent once the provider would no longer recognise it', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
    await fail(id, 1, 'uncertain');
    await passTime();
    expect(await claim()).toMatchObject([{ id, attempt: 2 }]);
    await fail(id, 2, 'deferred');
    await passTime();
    await sql().query(
      "update public.outbox_events set uncertain_since = uncertain_since - interval '23 hours' where id = $1",
      [id],
    );
    expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ failed: true, last_error: 'It may have gone out a day ago. down' });
  });

  test('a report on a completed or dead event changes nothing', async () => {
    const [givenUp = 0, done = 0] = await emit('user_nobody', 2);
    await claim();
    await sql().query("update public.outbox_events set failed_at = now(), last_error = 'gone' where id = $1", [
      givenUp,
    ]);
    await complete(done);
    for (const id of [givenUp, done]) await fail(id, 1);
    expect(await read(givenUp)).toMatchObject({ failed: true, last_error: 'gone' });
    expect(await read(done)).toMatchObject({ processed: true, last_error: null });
  });

  test('a late report of an earlier attempt changes nothing; a late success counts even after giving up', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
    await passTime();
    await claim();
    await fail(id, 1);
    expect(await read(id)).toMatchObject({ last_error: null, pause: 60 });
    await sql().query('update public.outbox_events set failed_at = now() where id = $1', [id]);
    await complete(id);
    expect(await read(id)).toMatchObject({ processed: true, failed: false });
  });
});

describe('requeue_outbox_event', () => {
  test('C-50 BEY-04 an admin requeues a dead letter, which is audited', async () => {
    const [id = 0] = await emit('user_nobody');
    await sql().query(
      "update public.outbox_events set failed_at = now(), attempts = 8, last_error = 'x' where id = $1",
      [id],
    );
    const admin = await newAdmin();
    const event = await unwrap(admin.client.rpc('requeue_outbox_event', { p_event_id: id }));
    expect(event).toMatchObject({ id, attempts: 0, failed_at: null });
    expect(await claim()).toMatchObject([{ id, attempt: 1 }]);
    const { rows } = await sql().query(
      "select action from public.audit_log where subject_type = 'outbox_event' and subject_id = $1 and actor_id = $2",
      [String(id), admin.id],
    );
    expect(rows).toEqual([{ action: 'outbox.requeue' }]);
  });

  test('C-50 BEY-04 an admin requeues all dead letters at once, with their attempts reset, each audited', async () => {
    const ids = await emit('user_nobody', 3);
    const [waiting = 0] = await emit('user_nobody');
    await sql().query(
      `update public.outbox_events set failed_at = now(), attempts = 40, deferrals = 39, last_error = 'x',
         deferred_since = now() - interval '4 days', uncertain_since = now() - interval '2 days' where id = any ($1)`,
      [ids],
    );
    const [member, admin] = await Promise.all([newMember(), newAdmin()]);
    expect(await refusal(member.client.rpc('requeue_failed_events'))).toEqual(FORBIDDEN);
    expect(await unwrap(admin.client.rpc('requeue_failed_events'))).toBe(3);
    expect((await claim()).map(({ id, attempt }) => [id, attempt])).toEqual([...ids, waiting].map((id) => [id, 1]));
    const { rows } = await sql().query(
      "select count(*)::integer from public.audit_log where action = 'outbox.requeue' and actor_id = $1",
      [admin.id],
    );
    expect(rows).toEqual([{ count: 3 }]);
  });

  test('refuses members, unknown events and pending events', async () => {
    const [id = 0] = await emit('user_nobody');
    const [member, admin] = await Promise.all([newMember(), newAdmin()]);
    expect(await refusal(member.client.rpc('requeue_outbox_event', { p_event_id: id }))).toEqual(FORBIDDEN);
    expect(await refusal(admin.client.rpc('requeue_outbox_event', { p_event_id: -1 }))).toEqual({
      status: 404,
      code: 'EVENT_NOT_FOUND',
      message: 'Event not found',
    });
    expect(await refusal(admin.client.rpc('requeue_outbox_event', { p_event_id: id }))).toEqual({
      status: 409,
      code: 'EVENT_NOT_FAILED',
      message: 'Only an event that was given up can be tried again',
    });
  });
});

describe('admit_mail', () => {
  const admit = (email: string, id?: number) =>
    unwrap(service.rpc('admit_mail', { p_email: email, ...(id === undefined ? {} : { p_event_id: id }) }));
  /** An event caused by a person. */
  async function emitBy(actor: string | null, type = 'Tested'): Promise<number> {
    const { rows } = await sql().query(
      'insert into public.outbox_events (type, user_id, actor_id) values ($1, $2, $2) returning id::int',
      [type, actor],
    );
    return rows[0].id;
  }
  const address = (label: string) => newPersona(label).email;
  const repeat = async (times: number, run: () => Promise<unknown>): Promise<unknown[]> => {
    const answers = [];
    for (let call = 0; call < times; call += 1) answers.push(await run());
    return answers;
  };

  /** Expects what is limited now to be sent again after a day, and not before. */
  async function expectLimitOfADay(ask: () => Promise<unknown>): Promise<void> {
    for (const [time, answer] of [
      ['23 hours', 'limited'],
      ['1 hour', 'send'],
    ]) {
      await sql().query('update private.rate_limits set hits = array(select h - $1::interval from unnest(hits) h)', [
        time,
      ]);
      expect(await ask()).toBe(answer);
    }
  }

  test('TRUST-27 allows thirty mails a day to a mailbox, without affecting others', async () => {
    const email = address('much');
    expect(await repeat(32, () => admit(email))).toEqual([...Array(30).fill('send'), 'limited', 'limited']);
    expect(await admit(address('other'))).toBe('send');
    await expectLimitOfADay(() => admit(email));
  });

  test('TRUST-27 counts an event once, however often it is retried', async () => {
    const [email, id] = [address('retry'), await emitBy(null)];
    expect(await repeat(40, () => admit(email, id))).toEqual(Array(40).fill('send'));
    expect(await repeat(30, () => admit(email))).toEqual([...Array(29).fill('send'), 'limited']);
  });

  test('TRUST-27 allows one account to cause five hundred mails a day', async () => {
    const [actor, other] = [await newMember(), await newMember()];
    const ids = (
      await sql().query<{ id: number }>(
        "insert into public.outbox_events (type, actor_id) select 'Tested', $1 from generate_series(1, 502) returning id::int",
        [actor.id],
      )
    ).rows.map(({ id }) => id);
    const answers: Record<string, number> = {};
    for (const id of ids) {
      const answer = await admit(address('victim'), id);
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
    expect(answers).toEqual({ send: 500, limited: 2 });
    expect(await admit(address('victim'), await emitBy(other.id))).toBe('send');
    await expectLimitOfADay(async () => admit(address('victim'), await emitBy(actor.id)));
  });

  test('TRUST-27 the event of an action records the actor, until that account is deleted', async () => {
    const member = await newMember();
    await unwrap(
      member.client.rpc('create_startup_profile', { p_name: `Project of ${member.name}`, p_industry: 'SaaS' }),
    );
    const actors = async () =>
      (await sql().query('select distinct actor_id from public.outbox_events where user_id = $1', [member.id])).rows;
    expect(await actors()).toEqual([{ actor_id: member.id }]);
    await service.rpc('anonymise_user', { p_user_id: member.id }).throwOnError();
    expect(await actors()).toEqual([{ actor_id: null }]);
  });

  test("TRUST-27 announces a project's verification once a day", async () => {
    const email = address('founder');
    const verified = async () => admit(email, await emitBy(null, 'StartupVerified'));
    expect(await repeat(3, verified)).toEqual(['send', 'limited', 'limited']);
    expect(await admit(email)).toBe('send');
    await expectLimitOfADay(verified);
  });

  test("TRUST-27 stays within the product's daily limit; the rest is sent later", async () => {
    const { rows } = await sql().query(
      "select coalesce(sum(amount), 0)::int as sent from private.write_windows where action = 'mails'",
    );
    await sql().query('update private.deployment set mails_per_day = $1', [rows[0].sent + 2]);
    try {
      expect(await repeat(3, () => admit(address('late')))).toEqual(['send', 'send', 'exhausted']);
    } finally {
      await sql().query('update private.deployment set mails_per_day = 10000');
    }
  });

  test('MAIL-02 TRUST-25 sends no mail to opted-out addresses, except the one that asks whether to come back', async () => {
    const member = await newMember();
    const token = await unwrap(service.rpc('get_unsubscribe_token', { p_email: member.email }));
    await service.rpc('unsubscribe_from_mailing_list', { p_token: token }).throwOnError();
    expect(await admit(member.email)).toBe('opted_out');
    expect(await admit(member.email, await emitBy(null))).toBe('opted_out');
    expect(await admit(member.email, await emitBy(null, 'SubscriptionRequested'))).toBe('send');
  });

  test('BEY-10 an owner is asked to delete a withdrawn address also after an opt-out and above the limit of the mailbox', async () => {
    const [busy, member] = [address('busy'), await newMember()];
    await repeat(30, () => admit(busy));
    expect(await admit(busy)).toBe('limited');
    expect(await admit(busy, await emitBy(null, 'EmailWithdrawn'))).toBe('send');
    const token = await unwrap(service.rpc('get_unsubscribe_token', { p_email: member.email }));
    await service.rpc('unsubscribe_from_mailing_list', { p_token: token }).throwOnError();
    expect(await admit(member.email, await emitBy(null, 'EmailWithdrawn'))).toBe('send');
  });

  test('SEC-04 is for the service role only', async () => {
    const member = await newMember();
    expect((await refusal(member.client.rpc('admit_mail', { p_email: member.email }))).status).toBe(403);
  });
});

test('MAIL-03 C-82 the worker gets an event by its id, and the address of an entry to confirm', async () => {
  const member = await newMember();
  const [first, second] = await emit(member.id, 2);
  const only = await unwrap(service.rpc('claim_outbox_events', { p_event_id: second }));
  expect(only.map(({ id }) => id)).toEqual([second]);
  expect(await unwrap(service.rpc('claim_outbox_events', { p_event_id: second }))).toEqual([]);
  expect((await claim()).map(({ id }) => id)).toEqual([first]);

  const { email } = newPersona('reader');
  await member.client.rpc('subscribe_to_mailing_list', { p_email: email }).throwOnError();
  expect(await claim()).toMatchObject([{ type: 'SubscriptionRequested', email }]);
});
