import { beforeEach, describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { FORBIDDEN, newAdmin, newMember, refusal, unwrap } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

const service = asService();

// The events of earlier tests are none of ours.
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

const fail = (id: number, attempt: number) =>
  unwrap(service.rpc('fail_outbox_event', { p_event_id: id, p_attempt: attempt, p_error: 'down' }).then(always));

const complete = (id: number) => unwrap(service.rpc('complete_outbox_event', { p_event_id: id }).then(always));

/** Procedures that return nothing answer without data. */
const always = ({ error }: { error: unknown }) => ({ data: true, error });

/** Lets the pause or the lease of all events run out. */
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
  test('C-50 gives each event to one of several workers, with the address of whom it concerns', async () => {
    const member = await newMember();
    const ids = await emit(member.id, 40);
    const batches = await Promise.all(Array.from({ length: 8 }, () => claim(10)));
    expect(
      batches
        .flat()
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    ).toEqual(ids);
    expect(batches.flat()[0]).toMatchObject({ type: 'Tested', attempt: 1, payload: { n: 1 }, email: member.email });
  });

  test('gives an event again only when its lease has run out', async () => {
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
  test('what is done never comes again', async () => {
    const [id = 0] = await emit('user_nobody');
    await claim();
    await complete(id);
    await complete(id);
    await passTime();
    expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ processed: true, failed: false, last_error: null });
  });

  test('C-50 tries eight times, each after twice the pause, then leaves it to the admin', async () => {
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

  test('a late report of an earlier try changes nothing; late success counts even after giving up', async () => {
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
  test('C-50 BEY-04 an admin has a dead letter tried again, which the audit log records', async () => {
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

  test('refuses members, unknown events and events that still wait', async () => {
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
