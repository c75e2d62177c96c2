import pg from 'pg';
import { expect, test } from 'vitest';
import { testEnv } from '../../local/testing/clients.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/**
 * What the clean-up does with rows of two ages a second apart: `kept` just within the period and `gone` just past it. Everything happens in
 * one transaction that is rolled back, so that now() stands still; without triggers and foreign keys, because only ages are tested.
 */
async function cleanUp(insert: string, select: string, runs = 1): Promise<string[]> {
  const client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query(insert);
    await client.query('set local session_replication_role = origin');
    for (let run = 0; run < runs; run += 1) {
      await client.query("delete from private.write_windows where action = 'remove_expired'");
      await client.query('select private.remove_expired()');
    }
    const { rows } = await client.query<{ label: string }>(select);
    return rows.map(({ label }) => label).sort();
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

const ages = (age: string) =>
  `(values ('kept', now() - interval '${age}'), ('gone', now() - interval '${age}' - interval '1 second')) x (label, at)`;

test.each([
  [
    'expired rate limit windows',
    `insert into private.rate_limits (subject, action, hits, expires_at) select 'probe', label, '{}', at from ${ages('0 seconds')}`,
    "select action as label from private.rate_limits where subject = 'probe'",
  ],
  [
    'global limit windows after two days',
    `insert into private.write_windows (action, starts_at, shard, amount) select label, at, 0, 1 from ${ages('2 days')}`,
    "select action as label from private.write_windows where action in ('kept', 'gone')",
  ],
  [
    'unconfirmed addresses after seven days',
    `insert into public.mailing_list (email, source, subscribed_at) select label || '@probe.test', 'probe', at from ${ages('7 days')};
     insert into public.mailing_list (email, source, subscribed_at, is_active) values ('active@probe.test', 'probe', now() - interval '1 year', true);
     insert into public.mailing_list (email, source, subscribed_at, unsubscribed_at)
       values ('left@probe.test', 'probe', now() - interval '1 year', now())`,
    "select replace(email, '@probe.test', '') as label from public.mailing_list where source = 'probe' and not is_active and unsubscribed_at is null",
  ],
  [
    'confirmation links after seven days, including those of confirmed addresses',
    `insert into public.mailing_list (email, is_active) values ('kept@probe.test', true), ('gone@probe.test', true);
     insert into private.mailing_list_confirmations (email, requested_at) select label || '@probe.test', at from ${ages('7 days')}`,
    "select replace(email, '@probe.test', '') as label from private.mailing_list_confirmations where email like '%@probe.test'",
  ],
  [
    'tests of endpoints after a day',
    `insert into private.tested_endpoints (startup_id, url, tested_at) select gen_random_uuid(), label, at from ${ages('1 day')}`,
    "select url as label from private.tested_endpoints where url in ('kept', 'gone')",
  ],
  [
    'the calls of projects after 30 days',
    `insert into private.verification_calls (startup_id, kind, call_id, status, code, message, created_at)
       select gen_random_uuid(), 'call', label, 200, 'PROBE', '', at from ${ages('30 days')}`,
    "select call_id as label from private.verification_calls where code = 'PROBE'",
  ],
  [
    'reports about the content security policy 30 days after the last of them',
    `insert into private.csp_reports (directive, blocked, page, last_at) select 'img-src', label, '/', at from ${ages('30 days')}`,
    "select blocked as label from private.csp_reports where blocked in ('kept', 'gone')",
  ],
  [
    'what put a row behind the others of its job a day after it last failed',
    `insert into private.failed_rows (job, row_id, failed_at) select label, gen_random_uuid(), at from ${ages('1 day')}`,
    "select job as label from private.failed_rows where job in ('kept', 'gone')",
  ],
  [
    'usage events after 90 days',
    `insert into public.metrics_events (type, created_at) select label, at from ${ages('90 days')}`,
    "select type as label from public.metrics_events where type in ('kept', 'gone')",
  ],
  [
    'first views of quests after 90 days (BEY-18)',
    // Who has viewed one quest lately may have viewed another one long ago.
    `insert into private.quest_views (campaign_id, user_id, viewed_at)
     select '6f1a5e0c-0000-4000-8000-000000000000', label, at from ${ages('90 days')};
     insert into private.quest_views (campaign_id, user_id, viewed_at) values ('6f1a5e0c-0000-4000-8000-000000000001', 'kept', '2020-01-01')`,
    "select user_id as label from private.quest_views where user_id in ('kept', 'gone')",
  ],
  [
    'outbox events 30 days after they were completed',
    `insert into public.outbox_events (type, processed_at) select initcap(label), at from ${ages('30 days')}`,
    "select lower(type) as label from public.outbox_events where type in ('Kept', 'Gone')",
  ],
  [
    'notifications after 180 days',
    `delete from public.notifications;
     insert into public.notifications (id, user_id, type, data, created_at) select row_number() over (), 'probe', label, '{}', at from ${ages('180 days')}`,
    "select type as label from public.notifications where user_id = 'probe'",
  ],
  [
    'visitors’ feedback after a year',
    `insert into public.beta_feedback (type, title, description, created_at) select 'bug', label, 'probe', at from ${ages('1 year')}`,
    "select title as label from public.beta_feedback where description = 'probe'",
  ],
  [
    'postal addresses 90 days after the redemption was fulfilled (C-93)',
    `insert into public.redemptions (id, user_id, reward_id, reward_title, points_cost, status, idempotency_key, fulfilled_at)
       select gen_random_uuid(), 'probe', gen_random_uuid(), label, 1, 'fulfilled', label, at from ${ages('90 days')};
     insert into private.redemption_addresses (redemption_id, name, street, city, country)
       select id, reward_title, '1 Street', 'Town', 'DE' from public.redemptions where user_id = 'probe'`,
    "select name as label from private.redemption_addresses where street = '1 Street'",
  ],
])('the clean-up removes %s, and not a second earlier', async (_what, insert, select) => {
  expect(await cleanUp(insert, select)).toEqual(['kept']);
});

test("the clean-up keeps members' feedback, pending and failed mails, and confirmed or unsubscribed addresses", async () => {
  const kept = await cleanUp(
    `insert into public.beta_feedback (type, user_id, title, description, created_at) values ('bug', 'user_probe', 'feedback', 'probe', '2020-01-01');
     insert into public.outbox_events (type, created_at, failed_at, user_id)
       values ('Waiting', '2020-01-01', null, 'user_probe'), ('Failed', '2020-01-01', '2020-01-01', 'user_probe');
     insert into public.mailing_list (email, source, subscribed_at, is_active) values ('active@probe.test', 'probe', '2020-01-01', true);
     insert into public.mailing_list (email, source, subscribed_at, unsubscribed_at) values ('left@probe.test', 'probe', '2020-01-01', now())`,
    `select title as label from public.beta_feedback where user_id = 'user_probe'
     union all select type from public.outbox_events where user_id = 'user_probe' and processed_at is null
     union all select email from public.mailing_list where source = 'probe'`,
  );
  expect(kept).toEqual(['Failed', 'Waiting', 'active@probe.test', 'feedback', 'left@probe.test']);
});

test('the clean-up keeps no withdrawn address 30 days after its project could not be told (BEY-10)', async () => {
  const withdrawn = (label: string, columns: string, values: string) =>
    `insert into public.outbox_events (user_id, payload, type, ${columns})
     select 'user_probe', jsonb_build_object('email', '${label}'), ${values};`;
  const kept = await cleanUp(
    [
      withdrawn('gone', 'failed_at', "'EmailWithdrawn', now() - interval '30 days 1 second'"),
      withdrawn('recent', 'failed_at', "'EmailWithdrawn', now() - interval '30 days'"),
      withdrawn('other', 'failed_at', "'Probed', now() - interval '31 days'"),
      withdrawn('waiting', 'failed_at', "'EmailWithdrawn', null"),
    ].join('\n'),
    `select coalesce(payload ->> 'email', 'none') || case when processed_at is null then '' else ', done' end
       || case when failed_at is null then '' else ', failed' end as label
     from public.outbox_events where user_id = 'user_probe'`,
  );
  expect(kept).toEqual(['none, done', 'other, failed', 'recent, failed', 'waiting']);
});

const many = (count: number) => `generate_series(1, ${count}) n`;

test.each([
  [
    '10,000 usage events',
    `insert into public.metrics_events (type, created_at) select 'Probe', '2020-01-01' from ${many(10_001)}`,
    "public.metrics_events where type = 'Probe'",
  ],
  [
    '10,000 expired rate limit windows',
    `delete from private.rate_limits;
     insert into private.rate_limits (subject, action, hits, expires_at) select 'probe', n, '{}', '2020-01-01' from ${many(10_001)}`,
    "private.rate_limits where subject = 'probe'",
  ],
  [
    '10,000 calls of projects',
    `insert into private.verification_calls (startup_id, kind, call_id, status, code, message, created_at)
     select gen_random_uuid(), 'call', n, 200, 'PROBE', '', '2020-01-01' from ${many(10_001)}`,
    "private.verification_calls where code = 'PROBE'",
  ],
  [
    '10,000 first views of quests',
    `insert into private.quest_views (campaign_id, user_id, viewed_at) select gen_random_uuid(), 'probe', '2020-01-01' from ${many(10_001)}`,
    "private.quest_views where user_id = 'probe'",
  ],
  [
    '10,000 outbox events',
    `insert into public.outbox_events (type, processed_at) select 'Probe', '2020-01-01' from ${many(10_001)}`,
    "public.outbox_events where type = 'Probe'",
  ],
  [
    '1,000 notifications',
    `delete from public.notifications; insert into public.notifications (id, user_id, type, data, created_at) select n, 'probe', 'x', '{}', '2020-01-01' from ${many(1001)}`,
    "public.notifications where user_id = 'probe'",
  ],
  [
    '1,000 feedback entries of visitors',
    `insert into public.beta_feedback (type, title, description, created_at) select 'bug', 'x', 'probe', '2020-01-01' from ${many(1001)}`,
    "public.beta_feedback where description = 'probe'",
  ],
])(
  'the clean-up removes %s at a time, because a worker with mails to send waits for it',
  async (_what, insert, rest) => {
    const count = `select count(*)::text as label from ${rest}`;
    expect(await cleanUp(insert, count)).toEqual(['1']);
    expect(await cleanUp(insert, count, 2)).toEqual(['0']);
  },
);

// The erasure of an account locks a person's rows of all these tables. A clean-up that waited for one would hold others that it needs next.
test.each([
  ['private.rate_limits', "(subject, action, hits, expires_at) values ('held', 'probe', '{}', '2020-01-01')"],
  ['private.mailing_list_confirmations', "(email, requested_at) values ('held@probe.test', '2020-01-01')"],
  ['public.mailing_list', "(email, subscribed_at) values ('held@probe.test', '2020-01-01')"],
  ['public.metrics_events', "(type, created_at) values ('Held', '2020-01-01')"],
  [
    'private.quest_views',
    "(campaign_id, user_id, viewed_at) values ('6f1a5e0c-0000-4000-8000-000000000000', 'held', '2020-01-01')",
  ],
  [
    'public.outbox_events',
    `(type, payload, failed_at) values ('EmailWithdrawn', '{"email": "held@probe.test"}', '2020-01-01')`,
  ],
  ['public.outbox_events', "(type, processed_at) values ('Held', '2020-01-01')"],
  ['public.notifications', "(id, user_id, type, data, created_at) values (0, 'held', 'probe', '{}', '2020-01-01')"],
  ['public.beta_feedback', "(type, title, description, created_at) values ('bug', 'held', 'probe', '2020-01-01')"],
  [
    'private.redemption_addresses',
    "(redemption_id, name, street, city, country) select id, 'Held', '1 Street', 'Town', 'DE' from redemption",
  ],
])('the clean-up leaves expired rows of %s that a call under way has locked: %s', async (table, row) => {
  const connectionString = testEnv().ADMIN_DATABASE_URL;
  const [admin, cleaner] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([admin.connect(), cleaner.connect()]);
  try {
    await admin.query('set session_replication_role = replica');
    const { rows } = await admin.query(
      `with redemption as (
         insert into public.redemptions (id, user_id, reward_id, reward_title, points_cost, status, idempotency_key, fulfilled_at)
         values (gen_random_uuid(), 'held', gen_random_uuid(), 'Held', 1, 'fulfilled', gen_random_uuid(), '2020-01-01') returning id
       ) insert into ${table} ${row} returning ctid`,
    );
    const held = `select 1 from ${table} where ctid = '${rows[0].ctid}'`;
    await admin.query('begin');
    await admin.query(`${held} for update`);
    await cleaner.query("begin; set lock_timeout = '5s'");
    await cleaner.query("delete from private.write_windows where action = 'remove_expired'");
    await cleaner.query('select private.remove_expired()');
    expect((await cleaner.query(held)).rowCount).toBe(1);
  } finally {
    await Promise.all([admin.end(), cleaner.end()]);
  }
});

test('the clean-up of first views ends in time while the statistics say that there are none', async () => {
  const views = 'private.quest_views';
  const insert = `update pg_class set reltuples = 0, relpages = 100 where oid = '${views}'::regclass; set local statement_timeout = '20s';
    insert into ${views} (campaign_id, user_id, viewed_at) select gen_random_uuid(), 'probe', '2020-01-01' from ${many(9000)}`;
  expect(await cleanUp(insert, `select count(*)::text as label from ${views} where user_id = 'probe'`)).toEqual(['0']);
});

test('the clean-up locks no notification that it keeps, which its reader may be opening, and no second one waits for it', async () => {
  const connectionString = testEnv().ADMIN_DATABASE_URL;
  const [reader, cleaner] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([reader.connect(), cleaner.connect()]);
  try {
    await reader.query("insert into public.notifications (id, user_id, type, data) values (-1, 'kept', 'probe', '{}')");
    await cleaner.query("begin; delete from private.write_windows where action = 'remove_expired'");
    await cleaner.query('select private.remove_expired()');
    const kept = await reader.query("select 1 from public.notifications where user_id = 'kept' for update nowait");
    expect(kept.rowCount).toBe(1);
    await reader.query("set lock_timeout = '1s'; select private.remove_expired()");
  } finally {
    await Promise.all([reader.end(), cleaner.end()]);
  }
});

test('the clean-up runs once a minute, however often it is called', async () => {
  // The next minute's run is taken, too: it may begin before the call.
  const again = `insert into private.write_windows (action, starts_at, shard, amount)
      select 'remove_expired', date_bin('1 minute', clock_timestamp(), '2026-01-01 00:00+00') + n * interval '1 minute', 0, 1
      from generate_series(0, 1) n;
    insert into public.metrics_events (type, created_at) values ('Probe', '2020-01-01');
    select private.remove_expired()`;
  expect(await cleanUp(again, "select type as label from public.metrics_events where type = 'Probe'", 0)).toEqual([
    'Probe',
  ]);
});
