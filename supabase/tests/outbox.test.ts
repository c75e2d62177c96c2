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

type Kind = 'failure' | 'deferred' | 'uncertain';

/** Reports a failed attempt; resolves to the time of the report. */
const fail = async (id: number, attempt: number, kind: Kind = 'failure', retryAfter?: number, error = 'down') => {
  const call = 'select now() as at from public.fail_outbox_event($1, $2, $3, $4, $5)';
  return (await sql().query<{ at: Date }>(call, [id, attempt, error, kind, retryAfter])).rows[0]?.at;
};

const complete = (id: number) => unwrap(service.rpc('complete_outbox_event', { p_event_id: id }).then(always));

/** Procedures that return nothing answer without data. */
const always = ({ error }: { error: unknown }) => ({ data: true, error });

/** Lets the retry delay or the lease of all events expire. */
const passTime = () =>
  sql().query(
    'update public.outbox_events set next_attempt_at = now() where processed_at is null and failed_at is null',
  );

/** An event; `pause`: seconds from `since` to the next attempt. */
async function read(id: number, since = new Date()) {
  const { rows } = await sql().query(
    `select attempts, last_error, processed_at is not null as processed, failed_at is not null as failed,
       uncertain_since is not null as uncertain, round(extract(epoch from next_attempt_at - $2))::integer as pause
     from public.outbox_events where id = $1`,
    [id, since],
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

  test('hands out at most a hundred, those that are due for longest first, and none that another worker has in hand', async () => {
    const ids = await emit('user_nobody', 103);
    const due = 'update public.outbox_events set next_attempt_at = now() - make_interval(mins => (id - $1)::integer)';
    await sql().query(`${due} where id > $1`, [ids[100]]);
    expect(await claim(-1)).toEqual([]);
    const worker = await sql().connect();
    try {
      await worker.query('begin');
      await worker.query('select from public.outbox_events where id = $1 for update', [ids[102]]);
      expect(await claim(1)).toMatchObject([{ id: ids[101] }]);
    } finally {
      await worker.query('rollback');
      worker.release();
    }
    expect(await claim(1)).toMatchObject([{ id: ids[102] }]);
    expect(await claim(1000)).toHaveLength(100);
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

  test('gives up no event whose worker has the last attempt in hand', async () => {
    const [id = 0] = await emit('user_nobody');
    await sql().query('update public.outbox_events set attempts = 7 where id = $1', [id]);
    expect(await claim()).toMatchObject([{ id, attempt: 8 }]);
    expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ failed: false, last_error: null });
  });
});

describe('complete_outbox_event, fail_outbox_event', () => {
  test('a completed event never comes again', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
    await complete(id);
    const asLastTime = "processed_at = '2026-01-01', attempts = 8, next_attempt_at = now()";
    await sql().query(`update public.outbox_events set ${asLastTime} where id = $1`, [id]);
    await complete(id);
    const { rows } = await sql().query('select processed_at, payload from public.outbox_events where id = $1', [id]);
    expect(rows).toEqual([{ processed_at: new Date('2026-01-01'), payload: { n: 1 } }]);
    expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ processed: true, failed: false, last_error: null });
  });

  test('C-50 tries eight times with doubling delays, then leaves the event to the admin', async () => {
    const [id = 0] = await emit('user_nobody');
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await claim();
      pauses.push((await read(id, await fail(id, attempt))).pause);
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
      pauses.push((await read(id, await fail(id, attempt, 'deferred'))).pause);
      await passTime();
      await sql().query("update public.outbox_events set deferred_since = now() - interval '25 hours' where id = $1", [
        id,
      ]);
    }
    expect(pauses.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    expect(pauses.at(-1)).toBe(3600);
    expect(await read(id)).toMatchObject({ failed: false, attempts: 30, uncertain: false });
    // An error in the mail itself still ends it, after eight attempts of its own.
    for (let attempt = 31; attempt <= 38; attempt += 1) {
      expect(await claim()).toMatchObject([{ id, attempt }]);
      await fail(id, attempt);
      await passTime();
    }
    expect(await read(id)).toMatchObject({ failed: true });
  });

  test.each(['deferred', 'uncertain'] as const)(
    'C-50 an outage (%s) at the last attempt does not end an event',
    async (kind) => {
      const [id = 0] = await emit('user_nobody');
      await sql().query('update public.outbox_events set attempts = 7 where id = $1', [id]);
      await claim();
      await fail(id, 8, kind);
      expect(await read(id)).toMatchObject({ failed: false });
      await passTime();
      expect(await claim()).toMatchObject([{ id, attempt: 9 }]);
      await fail(id, 9);
      expect(await read(id)).toMatchObject({ failed: true });
    },
  );

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
    await putBackTrouble(id, 1);
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
    // Its own first failure, whatever the outage.
    expect(await read(id, await fail(id, 2))).toMatchObject({ pause: 30 });
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
    await passTime();
    await claim();
    expect((await read(id)).last_error).toBe(null);
  });

  test('waits as long as the provider asks, if that is longer', async () => {
    const [first = 0, second = 0, third = 0] = await emit('user_nobody', 3);
    await claim();
    const pause = async (id: number, asked: number) => (await read(id, await fail(id, 1, 'deferred', asked))).pause;
    expect([await pause(first, 7_200), await pause(second, 5), await pause(third, 1_000_000)]).toEqual([
      7_200, 30, 86_400,
    ]);
    const { rows } = await sql().query('select private.outbox_backoff(1000)::text as pause');
    expect(rows).toEqual([{ pause: '01:00:00' }]);
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
    for (const _ of [1, 2]) expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ failed: true, last_error: 'It may have gone out a day ago. down' });
  });

  test('does not retry a mail whose worker died, perhaps after sending it, when no other worker has run for a day', async () => {
    const [dead = 0, unsent = 0] = await emit('user_nobody', 2);
    await claim(1);
    await sql().query(
      "update public.outbox_events set next_attempt_at = next_attempt_at - interval '1 day' where id in ($1, $2)",
      [dead, unsent],
    );
    expect(await claim()).toMatchObject([{ id: unsent, attempt: 1 }]);
    expect(await read(dead)).toMatchObject({
      failed: true,
      last_error: 'It may have gone out a day ago. The worker never reported back',
    });
  });

  test('does not retry a mail whose worker died, perhaps after sending it, once the provider has been out for a day since', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
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

  test('cuts an error of the greatest length when it adds that the mail may have gone out', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
    await fail(id, 1, 'uncertain');
    await sql().query(
      `update public.outbox_events set last_error = repeat('x', 500), next_attempt_at = now(),
         uncertain_since = uncertain_since - interval '1 day' where id = $1`,
      [id],
    );
    expect(await claim()).toEqual([]);
    const { last_error } = await read(id);
    expect(last_error).toHaveLength(500);
    expect(last_error).toMatch(/^It may have gone out a day ago\. x+$/);
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
    expect(await read(id)).toMatchObject({ last_error: null });
    await sql().query("update public.outbox_events set failed_at = now(), last_error = 'x' where id = $1", [id]);
    await complete(id);
    expect(await read(id)).toMatchObject({ processed: true, failed: false, last_error: null });
  });
});

describe('requeue_outbox_event', () => {
  test('C-50 BEY-04 an admin requeues a dead letter and no other one, which is audited', async () => {
    const [id = 0, other = 0] = await emit('user_nobody', 2);
    await sql().query(
      "update public.outbox_events set failed_at = now(), attempts = 8, last_error = 'x' where id in ($1, $2)",
      [id, other],
    );
    const admin = await newAdmin();
    const event = await unwrap(admin.client.rpc('requeue_outbox_event', { p_event_id: id }));
    expect(event).toMatchObject({ id, attempts: 0, failed_at: null });
    expect(await claim()).toMatchObject([{ id, attempt: 1 }]);
    expect(await read(other)).toMatchObject({ failed: true, attempts: 8 });
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
         next_attempt_at = now() + interval '1 hour', deferred_since = now() - interval '4 days', uncertain_since = now() - interval '2 days' where id = any ($1)`,
      [ids],
    );
    const [member, admin] = await Promise.all([newMember(), newAdmin()]);
    expect(await refusal(member.client.rpc('requeue_failed_events'))).toEqual(FORBIDDEN);
    expect(await unwrap(admin.client.rpc('requeue_failed_events'))).toBe(3);
    const anew = await sql().query(
      `select distinct failed_at, attempts, deferrals, deferred_since, uncertain_since, next_attempt_at <= now() as "isDue"
       from public.outbox_events where id = any ($1)`,
      [ids],
    );
    expect(anew.rows).toEqual([
      { failed_at: null, attempts: 0, deferrals: 0, deferred_since: null, uncertain_since: null, isDue: true },
    ]);
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
      message: 'Only an event that has failed can be tried again',
    });
  });
});

test('MAIL-03 C-82 the worker gets an event by its id, and the address of an entry to confirm', async () => {
  const member = await newMember();
  const [first, second] = await emit(member.id, 2);
  const only = await unwrap(service.rpc('claim_outbox_events', { p_event_id: second }));
  expect(only.map(({ id }) => id)).toEqual([second]);
  expect(await unwrap(service.rpc('claim_outbox_events', { p_event_id: second }))).toEqual([]);
  expect((await claim()).map(({ id }) => id)).toEqual([first]);

  const emails = [newPersona('reader').email, newPersona('listener').email];
  for (const p_email of emails) await member.client.rpc('subscribe_to_mailing_list', { p_email }).throwOnError();
  expect(await claim()).toMatchObject(emails.map((email) => ({ type: 'SubscriptionRequested', email })));
});
