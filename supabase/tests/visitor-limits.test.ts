import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { sql, testEnv } from '../../local/testing/clients.ts';
import { withinOneMinute } from './support/ceilings.ts';
import { newMember, refusal, unwrap } from './support/factories.ts';
import { runPeriodicJobs } from './support/periodic-jobs.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** Calls the API as a visitor would, through the gateway. Resolves to the status and the answer: a code or a boolean. */
async function visit(path: string, args: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
  const response = await fetch(`${SUPABASE_URL}/rest/v1/${path}`, {
    method: 'POST',
    headers: { apikey: SUPABASE_ANON_KEY, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(args),
  });
  const text = await response.text();
  const body = text === '' ? null : JSON.parse(text);
  return [response.status, typeof body === 'boolean' ? body : body?.hint];
}

type Answer = [status: number, answer?: string | boolean];

/**
 * A visitor with another address. The gateway sees only this machine, so it is configured as the proxy of an installation that has one, and
 * the forwarded address counts (`setBehindProxy`).
 */
const from = (address: string) => ({ 'x-forwarded-for': address });
const setBehindProxy = () => setDeployment({ address_header: 'x-forwarded-for', trusted_hops: 2 });

const feedback = (headers?: Record<string, string>) =>
  visit('rpc/submit_beta_feedback', { p_type: 'bug', p_description: 'It broke' }, headers);
const statuses = (answers: Answer[]) => answers.map(([status]) => status);
const repeat = async <T>(times: number, run: (index: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let index = 0; index < times; index += 1) results.push(await run(index));
  return results;
};
const count = async (table: string): Promise<number> =>
  Number((await sql().query(`select count(*) from ${table}`)).rows[0].count);

const setDeployment = (values: Record<string, string | number>) =>
  sql().query(
    `update private.deployment set ${Object.keys(values).map((name, index) => `${name} = $${index + 1}`)}`,
    Object.values(values),
  );

afterEach(async () => {
  await sql().query('truncate private.rate_limits, private.write_windows');
  await setDeployment({
    address_header: 'cf-connecting-ip',
    trusted_hops: 1,
    anonymous_writes_per_minute: 600,
    anonymous_writes_per_day: 5000,
    metrics_bytes_per_day: 52_428_800,
  });
});

describe('which limit applies', () => {
  test('TRUST-24 forty calls of one visitor are limited, whatever addresses the visitor claims', async () => {
    const before = await count('public.beta_feedback');
    const answers = await repeat(40, (index) =>
      feedback({
        'x-forwarded-for': `203.0.113.${index}, 198.51.100.${index}`,
        'cf-connecting-ip': `203.0.113.${index}`,
        'x-real-ip': `203.0.113.${index}`,
        forwarded: `for=203.0.113.${index}`,
      }),
    );
    expect(statuses(answers)).toEqual([...Array(10).fill(200), ...Array(30).fill(429)]);
    expect(answers.at(-1)).toEqual([429, 'RATE_LIMITED']);
    expect((await count('public.beta_feedback')) - before).toBe(10);
  });

  test('TRUST-24 a visitor who asks for another time zone does not start another day', async () => {
    await repeat(10, () => feedback());
    // At any hour it is another day in one of the two.
    for (const zone of ['Etc/GMT+12', 'Pacific/Kiritimati']) {
      expect(await feedback({ prefer: `timezone=${zone}` }), zone).toEqual([429, 'RATE_LIMITED']);
    }
    expect(await feedback()).toEqual([429, 'RATE_LIMITED']);
  });

  test('TRUST-24 behind a proxy that appends to x-forwarded-for, the entry of the last trusted hop counts', async () => {
    await setBehindProxy();
    const forge = (index: number, address: string) => feedback(from(`192.0.2.${index}, ${address}`));
    expect(statuses(await repeat(11, (index) => forge(index, '203.0.113.1')))).toEqual([...Array(10).fill(200), 429]);
    expect((await forge(1, '203.0.113.2'))[0]).toBe(200);
  });

  test("TRUST-24 one visitor cannot use up another's limit", async () => {
    await setBehindProxy();
    expect(statuses(await repeat(11, () => feedback(from('203.0.113.1')))).at(-1)).toBe(429);
    const others = await repeat(30, (index) => feedback(from(`198.51.100.${index}`)));
    expect(statuses(others)).toEqual(Array(30).fill(200));
  });

  /** The key of an address as the database computes it. */
  async function keyOf(address: string | null): Promise<string> {
    const client = await sql().connect();
    try {
      await client.query('begin');
      await client.query("select set_config('request.headers', $1, true)", [
        JSON.stringify(address === null ? {} : { 'cf-connecting-ip': address }),
      ]);
      return (await client.query('select private.rate_limit_key() as key')).rows[0].key;
    } finally {
      await client.query('commit');
      client.release();
    }
  }

  test('TRUST-24 ten thousand addresses have distinct keys, and the address cannot be read from its key', async () => {
    const client = await sql().connect();
    try {
      await client.query('begin');
      await client.query(`
        create function pg_temp.keys() returns setof text language plpgsql as $$
        begin
          for n in 0 .. 9999 loop
            perform set_config('request.headers', format('{"cf-connecting-ip": "10.0.%s.%s"}', n / 250, n % 250), true);
            return next private.rate_limit_key();
          end loop;
        end $$`);
      const { rows } = await client.query('select count(distinct k)::int as keys from pg_temp.keys() k');
      expect(rows).toEqual([{ keys: 10_000 }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await keyOf('203.0.113.7')).toMatch(/^[0-9a-f]{32}$/);
  });

  test("TRUST-24 a customer's whole IPv6 network is one visitor, and an IPv4-mapped address is its IPv4 address", async () => {
    expect(await keyOf('2001:db8:1:2:3:4:5:6')).toBe(await keyOf('2001:db8:1:2:ffff::1'));
    expect(await keyOf('2001:db8:1:2::1')).not.toBe(await keyOf('2001:db8:1:3::1'));
    expect(await keyOf('::ffff:203.0.113.7')).toBe(await keyOf('203.0.113.7'));
    expect(await keyOf('::ffff:203.0.113.8')).not.toBe(await keyOf('203.0.113.7'));
    expect(await keyOf('nonsense')).toBe(await keyOf(null));
  });

  test('TRUST-24 the key changes every day, and the old one is deleted', async () => {
    const today = await keyOf('203.0.113.7');
    expect(await keyOf('203.0.113.7')).toBe(today);
    await sql().query('update private.address_keys set day = day - 1');
    expect(await keyOf('203.0.113.7')).not.toBe(today);
    expect((await sql().query('select day = current_date as today from private.address_keys')).rows).toEqual([
      { today: true },
    ]);
  });
});

test('TRUST-24 in a day one address may write 25 times the limit of a minute, far below the ceiling, and a member three times', async () => {
  const member = await newMember();
  const send = () => member.client.rpc('submit_beta_feedback', { p_type: 'bug', p_description: 'It broke' });
  const anotherMinute = () => sql().query("delete from private.rate_limits where action = 'beta_feedback'");
  for (let minute = 0; minute < 3; minute += 1) {
    await repeat(10, async () => unwrap(send()));
    await anotherMinute();
  }
  expect(await refusal(send())).toMatchObject({ code: 'RATE_LIMITED' });
  for (let minute = 0; minute < 25; minute += 1) {
    expect(statuses(await repeat(10, () => feedback()))).toEqual(Array(10).fill(200));
    await anotherMinute();
  }
  expect(await feedback()).toEqual([429, 'RATE_LIMITED']);
});

describe('the limits on all visitors together', () => {
  test('TRUST-24 apply per minute; beyond them visitors are told so, and members are not affected', async () => {
    await setBehindProxy();
    await setDeployment({ anonymous_writes_per_minute: 3 });
    await withinOneMinute();
    const answers = await repeat(5, (index) => feedback(from(`203.0.113.${index}`)));
    expect(answers).toEqual([...Array(3).fill([200, undefined]), ...Array(2).fill([429, 'VISITORS_LIMITED'])]);
    const member = await newMember();
    await unwrap(member.client.rpc('submit_beta_feedback', { p_type: 'bug', p_description: 'It broke' }));
  });

  test('TRUST-24 apply per day to each kind of write', async () => {
    await setBehindProxy();
    await setDeployment({ anonymous_writes_per_day: 2 });
    const subscribe = (index: number) =>
      visit('rpc/subscribe_to_mailing_list', { p_email: `${randomUUID()}@example.com` }, from(`203.0.113.${index}`));
    expect(statuses(await repeat(3, subscribe))).toEqual([200, 200, 429]);
    expect((await feedback())[0]).toBe(200);
  });
});

describe('usage events', () => {
  /** An event with this many bytes of data, mostly two-byte letters. */
  const event = (bytes: number) => ({ type: 'flood', data: { x: `${'é'.repeat((bytes - 10) / 2)}!` } });
  const send = (events: unknown, headers?: Record<string, string>) => visit('metrics_events', events, headers);
  const stored = async () =>
    (
      await sql().query<{ events: number; bytes: number }>(
        "select count(*)::int as events, coalesce(sum(octet_length(data::text)), 0)::int as bytes from public.metrics_events where type = 'flood'",
      )
    ).rows[0];

  afterEach(() => sql().query("delete from public.metrics_events where type = 'flood'"));

  test('TRUST-24 are measured in bytes: one of more than 4,096 is dropped', async () => {
    expect((await send(event(4_096)))[0]).toBe(201);
    expect(await stored()).toEqual({ events: 1, bytes: 4_096 });
    expect((await send(event(4_098)))[0]).toBe(201);
    expect(await stored()).toEqual({ events: 1, bytes: 4_096 });
  });

  test('TRUST-24 are limited to 50 per request, and 32 kilobytes', async () => {
    expect(await send(Array(51).fill(event(20)))).toEqual([413, 'TOO_MANY_EVENTS']);
    expect(await send(Array(9).fill(event(4_000)))).toEqual([413, 'TOO_MANY_EVENTS']);
    expect(await stored()).toEqual({ events: 0, bytes: 0 });
    expect((await send(Array(50).fill(event(20))))[0]).toBe(201);
    expect(await stored()).toEqual({ events: 50, bytes: 1_000 });
    expect((await send(Array(8).fill(event(4_096))))[0]).toBe(201);
    // Also those that the other limits drop: each takes time before it is.
    expect((await send(Array(50).fill(event(4_098))))[0]).toBe(201);
    expect(await send(Array(51).fill(event(4_098)))).toEqual([413, 'TOO_MANY_EVENTS']);
  });

  test('TRUST-24 are limited to 120 kilobytes a minute per visitor, with a minimum size for small ones', async () => {
    await setBehindProxy();
    await repeat(10, () => send(Array(8).fill(event(4_000)), from('203.0.113.1')));
    expect(await stored()).toEqual({ events: 30, bytes: 120_000 });
    await repeat(5, () => send(Array(50).fill(event(20)), from('203.0.113.2')));
    expect(await stored()).toEqual({ events: 150, bytes: 122_400 });
  });

  test('TRUST-24 in a flood from many addresses fill no more than the daily cap, and break no page', async () => {
    await setBehindProxy();
    await setDeployment({ metrics_bytes_per_day: 80_000 });
    const answers = await repeat(40, (index) => send(Array(7).fill(event(4_000)), from(`203.0.113.${index}`)));
    expect(new Set(statuses(answers))).toEqual(new Set([201]));
    const { bytes = 0 } = (await stored()) ?? {};
    expect(bytes).toBeLessThanOrEqual(80_000);
    expect(bytes).toBeGreaterThan(40_000);
  });

  test('TRUST-24 count 200 bytes for their row towards the daily cap, however small they are', async () => {
    await setBehindProxy();
    await setDeployment({ metrics_bytes_per_day: 80 * 220 });
    await repeat(8, (index) => send(Array(50).fill(event(20)), from(`203.0.113.${index}`)));
    const { events = 0 } = (await stored()) ?? {};
    expect(events).toBeLessThanOrEqual(80);
    expect(events).toBeGreaterThan(40);
  });
});

test("TRUST-24 expire through the worker, as do visitors' feedback, limits and unconfirmed addresses", async () => {
  const member = await newMember();
  const label = randomUUID();
  await sql().query(
    `insert into public.metrics_events (type, data) values ('old', jsonb_build_object('l', $1::text)), ('new', jsonb_build_object('l', $1::text))`,
    [label],
  );
  await sql().query('alter table public.metrics_events disable trigger metrics_events_append_only');
  await sql().query("update public.metrics_events set created_at = now() - interval '91 days' where type = 'old'");
  await sql().query("update public.metrics_events set created_at = now() - interval '89 days' where type = 'new'");
  await sql().query('alter table public.metrics_events enable trigger metrics_events_append_only');
  await sql().query(
    `insert into public.beta_feedback (user_id, type, title, description, created_at) values
      (null, 'bug', $1, 'old visitor', now() - interval '367 days'), (null, 'bug', $1, 'new visitor', now() - interval '360 days'),
      ($2, 'bug', $1, 'old member', now() - interval '367 days')`,
    [label, member.id],
  );
  await sql().query(
    `insert into public.mailing_list (email, is_active, unsubscribed_at, subscribed_at) values
      ($1 || '-pending-old@example.com', false, null, now() - interval '8 days'),
      ($1 || '-pending-new@example.com', false, null, now() - interval '6 days'),
      ($1 || '-active@example.com', true, null, now() - interval '8 days'),
      ($1 || '-left@example.com', false, now(), now() - interval '8 days')`,
    [label],
  );
  await sql().query(
    `insert into private.rate_limits (subject, action, hits, expires_at) values
      ($1, 'over', '{}', now() - interval '1 second'), ($1, 'open', '{}', now() + interval '1 minute')`,
    [label],
  );
  await sql().query("insert into private.write_windows values ('old', now() - interval '3 days', 0, 1)");
  await runPeriodicJobs();

  const left = async (query: string) => (await sql().query(query, [label])).rows.map((row) => Object.values(row)[0]);
  expect(await left("select type from public.metrics_events where data ->> 'l' = $1")).toEqual(['new']);
  expect(await left('select description from public.beta_feedback where title = $1 order by 1')).toEqual([
    'new visitor',
    'old member',
  ]);
  expect(await left('select status from public.mailing_list where starts_with(email, $1) order by 1')).toEqual([
    'active',
    'pending',
    'unsubscribed',
  ]);
  expect(await left('select action from private.rate_limits where subject = $1')).toEqual(['open']);
  expect(await count("private.write_windows where action = 'old'")).toBe(0);
});

describe('clicks on referral links', () => {
  const click = (code: string, address: string) => visit('rpc/track_referral_click', { p_code: code }, from(address));

  test('C-47 an unknown code gets the same answers as a known one, limits included', async () => {
    const member = await newMember();
    const { code } = await unwrap(member.client.rpc('create_user_referral_code'));
    const limitsOf = async () =>
      (await sql().query('select cardinality(hits) as hits from private.rate_limits order by 1')).rows;
    const answersTo = async (value: string, from: string) => {
      await sql().query('truncate private.rate_limits');
      const answers = await repeat(7, () => click(value, from));
      return { answers, limits: await limitsOf() };
    };
    await setBehindProxy();
    const known = await answersTo(code, '203.0.113.1');
    expect(known.answers.map(([, counted]) => counted)).toEqual([...Array(5).fill(true), false, false]);
    expect(await answersTo('REFNOBODYS', '203.0.113.2')).toEqual(known);
    expect((await unwrap(member.client.from('referral_codes').select('clicks').single())).clicks).toBe(5);
  });

  test('C-47 are counted up to thirty a minute from one visitor, whatever the codes, and 120 on one code, whoever the visitors', async () => {
    await setBehindProxy();
    const answers = await repeat(31, (index) => click(`REFNOBODY${index}`, '203.0.113.1'));
    expect(answers.map(([, counted]) => counted)).toEqual([...Array(30).fill(true), false]);
    const { client } = await newMember();
    const { code } = await unwrap(client.rpc('create_user_referral_code'));
    await sql().query(
      `insert into private.rate_limits (subject, action, hits, expires_at)
       values ('code:' || $1, 'referral_click', array_fill(clock_timestamp(), array[119]), now() + interval '1 minute')`,
      [code],
    );
    for (const [visitor, isCounted] of [
      ['203.0.113.2', true],
      ['203.0.113.3', false],
    ] as const) {
      expect(await click(code, visitor)).toEqual([200, isCounted]);
    }
    expect((await unwrap(client.from('referral_codes').select('clicks').single())).clicks).toBe(1);
  });
});

test('TRUST-24 a reached limit is reported with a sentence', async () => {
  const member = await newMember();
  const send = () => member.client.rpc('submit_beta_feedback', { p_type: 'bug', p_description: 'It broke' });
  await repeat(10, async () => unwrap(send()));
  expect(await refusal(send())).toEqual({ status: 429, code: 'RATE_LIMITED', message: 'Rate limit exceeded' });
});
