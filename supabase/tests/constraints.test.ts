import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testEnv } from '../../local/testing/clients.ts';
import { insertFixture } from './access/fixture.ts';
import { DEPENDENT, text } from './support/dependent-columns.ts';

/**
 * Values that no row may hold, whatever the procedures check: the last line of defence. Each value is written to a row of the access
 * matrix's fixture, or one of those below, without triggers and foreign keys, in a transaction that is rolled back.
 */
const client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });

beforeAll(async () => {
  await client.connect();
  await client.query('set session_replication_role = replica');
  await insertFixture(client);
  await client.query(`
    insert into private.redemption_addresses (redemption_id, name, street, city, country)
      select id, 'Ann', '1 Street', 'Town', 'DE' from public.redemptions limit 1;
    insert into private.payment_events (event_id, action, payment_ref) values ('evt_1', 'activate', 'cs_1');
    insert into private.idempotency_keys (user_id, action, key, subject_id) values ('a', 'create_quest', 'k', gen_random_uuid());
    insert into private.write_windows (action, starts_at, shard, amount) values ('a', now(), 0, 1);
    insert into private.product_owner default values on conflict do nothing;
    insert into private.site_stats_cache (member_count, active_campaigns, verified_startups, points_earned, counted_at)
      values (0, 0, 0, 0, now()) on conflict do nothing;
    insert into private.member_weeks (user_id, week, points, tasks) values ('a', '2026-01-05', 1, 1);
    insert into private.ledger_daily (day, account, kind, type, entries, points, last_at)
      values ('2026-01-05', 'user', 'adjustment', 'credit', 1, 1, now());
    insert into private.verified_uploads (bucket, path, object_id, owner, sha256, bytes, mime)
      values ('proofs', 'a', gen_random_uuid(), 'a', repeat('a', 64), 1, 'image/png');
    insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, decided_by)
      values (gen_random_uuid(), 'a', 'V', 'verified', 'a');
    insert into private.completion_codes (task_id, code_hash, is_shared) values (gen_random_uuid(), '\\x00', false);
    insert into private.task_checks (task_id, source, target) values (gen_random_uuid(), 'endpoint', 'x');
    insert into private.tested_endpoints (startup_id, url) values (gen_random_uuid(), 'x');
    insert into private.signing_secrets (startup_id, secret, last_characters) values (gen_random_uuid(), '\\x00', 'abcd');
    insert into private.task_tokens (task_id, user_id) values (gen_random_uuid(), 'a');
    insert into private.verification_calls (startup_id, kind, call_id, status, code, message)
      values (gen_random_uuid(), 'call', 'x', 200, 'X', '');
    insert into private.reward_codes (reward_id, code, fingerprint) values (gen_random_uuid(), '\\x00', '\\x00');
    insert into private.redemption_marks (redemption_id, flagged_points, transfer_id) values (gen_random_uuid(), 5, 1);
    insert into private.csp_reports (directive, blocked, page) values ('img-src', 'inline', '/');
    insert into private.worker_runs (worker) values ('probe') on conflict do nothing;
    insert into private.failed_rows (job, row_id) values ('probe', gen_random_uuid());
    insert into private.failed_jobs (job, last_error) values ('probe', 'x')`);
});

afterAll(() => client.end());

/** Whether one row of the table accepts these values, each an SQL expression. */
async function takes(table: string, values: Record<string, string>): Promise<boolean> {
  const changes = Object.entries(values).map(([column, value]) => `${column} = ${value}`);
  await client.query('begin');
  try {
    const { rowCount } = await client.query(
      `update ${table} set ${changes.join(', ')} where ctid = (select ctid from ${table} order by ctid limit 1)`,
    );
    expect(rowCount, `${table} has no row`).toBe(1);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '23514') return false;
    throw error;
  } finally {
    await client.query('rollback');
  }
}

const TEXTS = [
  ['public.user_profiles', 'user_id', 1, 255],
  ['public.user_profiles', 'username', 1, 80],
  ['public.user_profiles', 'display_name', 0, 120],
  ['public.user_profiles', 'email', 0, 254],
  ['public.transfers', 'description', 0, 500],
  ['public.transfers', 'idempotency_key', 0, 200],
  ['public.startup_profiles', 'name', 1, 120],
  ['public.startup_profiles', 'description', 0, 2000],
  ['private.payment_events', 'event_id', 1, 255],
  ['private.payment_events', 'payment_ref', 1, 255],
  ['private.payment_events', 'dispute_ref', 1, 255],
  ['public.campaigns', 'title', 1, 200],
  ['public.campaigns', 'summary', 0, 500],
  ['public.campaigns', 'details_md', 0, 10_000],
  ['public.campaigns', 'custom_reward_title', 0, 200],
  ['public.campaigns', 'custom_reward_description', 0, 2000],
  ['public.campaigns', 'email_collection_purpose', 0, 500],
  ['public.tasks', 'title', 1, 200],
  ['public.tasks', 'instructions_md', 0, 5000],
  ['public.submissions', 'proof_url', 0, 2048],
  ['public.submissions', 'proof_text', 0, 2000],
  ['public.submissions', 'participant_email', 0, 254],
  ['public.submissions', 'review_note', 0, 1000],
  ['public.campaign_email_collections', 'email', 0, 254],
  ['public.appeals', 'words', 1, 2000],
  ['public.rewards', 'title', 1, 200],
  ['public.rewards', 'description', 0, 2000],
  ['public.redemptions', 'note', 0, 1000],
  ['public.redemptions', 'idempotency_key', 1, 100],
  ['private.redemption_addresses', 'name', 0, 120],
  ['private.redemption_addresses', 'street', 0, 200],
  ['private.redemption_addresses', 'extra', 0, 200],
  ['private.redemption_addresses', 'postal_code', 0, 20],
  ['private.redemption_addresses', 'city', 0, 120],
  ['private.redemption_addresses', 'region', 0, 120],
  ['private.idempotency_keys', 'key', 1, 100],
  ['private.task_checks', 'target', 0, 2048],
  ['private.tested_endpoints', 'url', 0, 2048],
  ['private.signing_secrets', 'last_characters', 4, 4],
  ['private.task_tokens', 'participant_email', 0, 254],
  ['private.verification_calls', 'call_id', 1, 256],
  ['private.verification_calls', 'token', 0, 64],
  ['private.verification_calls', 'code', 0, 100],
  ['private.verification_calls', 'message', 0, 500],
  ['public.tasks', 'link_url', 0, 2048],
  ['public.beta_feedback', 'title', 1, 200],
  ['public.beta_feedback', 'description', 1, 5000],
  ['public.beta_feedback', 'admin_notes', 0, 2000],
  ['public.project_feedback', 'feedback_text', 1, 2000],
  ['private.csp_reports', 'blocked', 1, 200],
  ['private.csp_reports', 'page', 0, 200],
  ['private.worker_runs', 'last_problem', 0, 500],
  ['private.failed_jobs', 'last_error', 0, 500],
] as const;

describe('texts', () => {
  test.each(TEXTS)('%s.%s has %i to %i characters', async (table, column, least, most) => {
    expect(await takes(table, { [column]: text(least) })).toBe(true);
    expect(await takes(table, { [column]: text(most) })).toBe(true);
    expect(await takes(table, { [column]: text(most + 1) })).toBe(false);
    if (least > 0) expect(await takes(table, { [column]: text(least - 1) })).toBe(false);
  });
});

const NUMBERS = [
  ['private.deployment', 'trusted_hops', 1, 10],
  ['private.deployment', 'anonymous_writes_per_minute', 0, null],
  ['private.deployment', 'anonymous_writes_per_day', 0, null],
  ['private.deployment', 'metrics_bytes_per_day', 0, null],
  ['private.deployment', 'mails_per_day', 0, null],
  ['private.deployment', 'digest_hour', 0, 23],
  ['public.app_settings', 'trial_quest_limit', 0, 1000],
  ['public.app_settings', 'trial_budget_points', 0, 1_000_000],
  ['public.app_settings', 'referrer_points', 0, 100_000],
  ['public.app_settings', 'referred_points', 0, 100_000],
  ['public.app_settings', 'submissions_per_minute', 1, 600],
  ['public.app_settings', 'member_count_base', 0, null],
  ['public.app_settings', 'member_floor', 0, null],
  ['public.app_settings', 'quest_floor', 0, null],
  ['public.app_settings', 'points_floor', 0, null],
  ['public.app_settings', 'og_slots', 0, 100_000],
  ['public.app_settings', 'og_price_cents', 50, 99_999_999],
  ['public.app_settings', 'og_original_price_cents', 1, null],
  ['public.app_settings', 'project_changes_per_hour', 1, 10_000],
  ['public.app_settings', 'quest_creations_per_hour', 1, 10_000],
  ['public.app_settings', 'quest_changes_per_hour', 1, 10_000],
  ['public.app_settings', 'proof_files_per_person', 1, 100_000],
  ['public.app_settings', 'proof_megabytes_per_person', 1, 100_000],
  ['public.app_settings', 'logo_files_per_person', 1, 1000],
  ['public.app_settings', 'logo_megabytes_per_person', 1, 10_000],
  ['public.app_settings', 'paid_referrals_per_day', 1, 100_000],
  ['public.app_settings', 'pack_small_points', 0, 1_000_000],
  ['public.app_settings', 'pack_small_cents', 50, 99_999_999],
  ['public.app_settings', 'pack_medium_points', 0, 1_000_000],
  ['public.app_settings', 'pack_medium_cents', 50, 99_999_999],
  ['public.app_settings', 'pack_large_points', 0, 1_000_000],
  ['public.app_settings', 'pack_large_cents', 50, 99_999_999],
  ['public.transfers', 'points', 1, null],
  ['public.point_holds', 'points', 1, null],
  ['public.referral_codes', 'clicks', 0, null],
  ['public.referral_codes', 'successful_referrals', 0, null],
  ['public.referral_codes', 'total_rewards_earned', 0, null],
  ['public.referrals', 'referrer_reward_points', 0, null],
  ['public.referrals', 'referred_reward_points', 0, null],
  ['public.campaigns', 'budget_points', 0, 1_000_000],
  ['public.campaigns', 'budget_cash_cents', 0, 0],
  ['public.tasks', 'reward_points', 0, 1000],
  ['public.tasks', 'max_completions', 1, 100_000],
  ['public.submissions', 'reward_points', 0, null],
  ['public.rewards', 'points_cost', 1, 10_000_000],
  ['public.rewards', 'cash_value_cents', 0, null],
  ['public.rewards', 'stock_quantity', 0, null],
  ['public.redemptions', 'points_cost', 1, null],
  ['private.write_windows', 'amount', 0, null],
  ['private.verified_uploads', 'bytes', 1, null],
  ['private.task_tokens', 'reward_points', 0, 1000],
  ['private.redemption_marks', 'flagged_points', 1, null],
  ['public.entries', 'balance_after', 0, null],
  ['public.subscriptions', 'amount_cents', 0, null],
  ['public.point_purchases', 'points', 1, 1_000_000],
  ['public.point_purchases', 'amount_cents', 0, null],
  ['public.campaigns', 'review_hours', 24, 504],
  ['public.campaigns', 'median_minutes', 1, null],
  ['public.beta_feedback', 'rating', 1, 5],
  ['public.project_feedback', 'rating', 1, 5],
] as const;

describe('numbers', () => {
  test.each(NUMBERS)('%s.%s is %i at least and %s at most', async (table, column, least, most) => {
    expect(await takes(table, { [column]: String(least) })).toBe(true);
    expect(await takes(table, { [column]: String(least - 1) })).toBe(false);
    if (most === null) return;
    expect(await takes(table, { [column]: String(most) })).toBe(true);
    expect(await takes(table, { [column]: String(most + 1) })).toBe(false);
  });
});

/** SQL literals of these words. */
const words = (...all: string[]) => all.map((word) => `'${word}'`);

const VALUES = [
  ['private.deployment', 'id', ['true'], ['false']],
  [
    'private.deployment',
    'token_issuer',
    ["'https://clerk.test'", "'http://127.0.0.1:4000'"],
    ["'clerk.test'", "'https://a/b'", "'https://a b'"],
  ],
  ['private.deployment', 'address_header', ["'x-real-ip'"], ["'X-Real-IP'", "''", "'a b'"]],
  ['public.app_settings', 'id', ['true'], ['false']],
  ['public.app_settings', 'owner_email', ["'boss@example.com'", 'null'], ["'Boss@example.com'"]],
  ['public.user_profiles', 'avatar_url', ["'https://x.test/a.png'"], ["'javascript:alert(1)'", "'/a.png'"]],
  ['public.startup_profiles', 'website', ["'https://x.test'"], ["'javascript:alert(1)'"]],
  ['public.startup_profiles', 'industry', ["'SaaS'"], ["'Piracy'"]],
  [
    'public.referral_codes',
    'code',
    ["'ABCD'", text(20).replace("'x'", "'A'")],
    ["'ABC'", text(21).replace("'x'", "'A'"), "'abcd'", "'AB-CD'"],
  ],
  ['public.mailing_list', 'email', ["'a@example.com'"], ["'A@example.com'", "'a'"]],
  ['public.mailing_list', 'source', ["'website'", `'a' || ${text(49)}`], ["'Website'", "''", `'a' || ${text(50)}`]],
  ['public.mailing_list', 'metadata', ["'{}'"], ["'[]'"]],
  ['public.outbox_events', 'type', ["'ProofApproved'"], ["'proofApproved'", "'Proof approved'", "'P'"]],
  ['public.point_holds', 'reason', ["'referral'", "'trial'"], ["'other'"]],
  ['private.payment_events', 'action', ["'activate'", "'purchase'", "'end'", "'reinstate'"], ["'other'"]],
  ['private.product_owner', 'id', ['true'], ['false']],
  ['private.site_stats_cache', 'id', ['true'], ['false']],
  ['private.ledger_daily_watermark', 'id', ['true'], ['false']],
  ['private.file_search', 'id', ['true'], ['false']],
  ['private.mailbox_domains', 'domain', words('a.example'), words('A.example')],
  ['private.mailbox_domains', 'kind', words('disposable', 'forwarding'), words('other')],
  [
    'public.user_profiles',
    'interests',
    ["'{}'", "array_fill('SaaS'::text, array[20])"],
    ["'{Sorcery}'", "array_fill('SaaS'::text, array[21])"],
  ],
  ['private.member_weeks', 'week', words('2026-01-12'), words('2026-01-11', '2026-01-13')],
  [
    'public.badges',
    'badge',
    words('first_task', 'ten_tasks', 'fifty_tasks', 'hundred_tasks', 'four_weeks', 'twelve_weeks'),
    words('other'),
  ],
  ['private.ledger_daily', 'account', words('user', 'startup', 'reserve', 'system'), words('other')],
  [
    'private.verified_uploads',
    'sha256',
    ["repeat('0f', 32)"],
    ["repeat('a', 63)", "repeat('a', 65)", "repeat('A', 64)"],
  ],
  ['private.project_decisions', 'decision', words('verified', 'rejected', 'revoked'), words('other')],
  ['public.startup_profiles', 'logo_url', words('https://x.test/a.png', '/a.png'), words('javascript:alert(1)')],
  ['public.subscriptions', 'plan_id', words('og_lifetime'), words('other')],
  ['public.subscriptions', 'receipt_url', words('https://x.test'), words('javascript:alert(1)')],
  ['public.point_purchases', 'pack_id', words('points_small'), words('small', 'points_', 'points_1')],
  ['public.point_purchases', 'currency', words('usd'), words('eur')],
  ['public.point_purchases', 'receipt_url', words('https://x.test'), words('javascript:alert(1)')],
  ['private.incentive_rules', 'id', words('a-1'), words('', 'A', 'a_1')],
  ['private.incentive_rules', 'source_url', words('https://x.test'), words('http://x.test')],
  ['private.task_checks', 'source', words('endpoint', 'github_pull_request'), words('other')],
  [
    'public.submission_flags',
    'kind',
    [
      ...words('same_link', 'same_picture', 'similar_picture', 'similar_text', 'too_fast', 'related_account'),
      ...words('disposable_mailbox', 'aliased_mailbox'),
    ],
    words('other'),
  ],
  [
    'public.submission_history',
    'action',
    words('approved', 'rejected', 'resubmitted', 'reversed', 'overturned'),
    words('other'),
  ],
  ['public.rewards', 'image_url', words('https://x.test/a.png', '/a.png'), words('javascript:alert(1)')],
  ['private.redemption_addresses', 'country', words('IE'), words('ie', 'I', 'IRL')],
  ['public.beta_feedback', 'email', words('a@example.com'), words('a')],
  ['public.beta_feedback', 'type', words('bug', 'feature', 'rating', 'general', 'other'), words('praise')],
  ['public.beta_feedback', 'status', words('new', 'reviewed', 'resolved'), words('other')],
  ['public.beta_feedback', 'priority', words('urgent', 'high', 'medium', 'other'), words('low')],
  ['private.csp_reports', 'directive', ["'img-src'", text(40)], ["''", "'Img-src'", "'img src'", text(41)]],
  ['public.metrics_events', 'type', ["'a.B:c-d_1'", text(64)], ["''", "'1a'", "'a b'", text(65)]],
  [
    'public.metrics_events',
    'data',
    [`jsonb_build_object('a', ${text(4087)})`],
    ["'[]'", `jsonb_build_object('a', ${text(4088)})`],
  ],
  [
    'public.member_profiles',
    'handle',
    ["'abc'", "'a-b-c'", text(30)],
    ["'ab'", "'a--bc'", "'-abc'", "'abc-'", "'Abc'", text(31)],
  ],
  ['private.worker_runs', 'worker', ["'a-b'", text(60)], ["''", "'A'", "'-a'", text(61)]],
  ['private.failed_jobs', 'job', ["'a_b'", text(60)], ["''", "'a-b'", text(61)]],
  ['private.failed_rows', 'job', ["'a_b'", text(60)], ["''", "'a-b'", text(61)]],
] as const;

describe('values', () => {
  test.each(VALUES)('%s.%s takes %s and not %s', async (table, column, taken, refused) => {
    for (const value of taken) expect(await takes(table, { [column]: value }), value).toBe(true);
    for (const value of refused) expect(await takes(table, { [column]: value }), value).toBe(false);
  });
});

describe('dependent columns', () => {
  test.each(DEPENDENT)('%s takes %j and not %j', async (table, taken, refused) => {
    expect(await takes(table, taken)).toBe(true);
    expect(await takes(table, refused)).toBe(false);
  });
});

test('every check constraint has a value above that it refuses', async () => {
  const tried = [...TEXTS, ...NUMBERS, ...VALUES].map(([table, column]) => `${table}.${column}`);
  const together = DEPENDENT.flatMap(([table, , refused]) =>
    Object.keys(refused).map((column) => `${table}.${column}`),
  );
  const { rows } = await client.query<{ name: string }>(
    `select c.conrelid::regclass || '.' || c.conname as name from pg_constraint c
     join pg_namespace n on n.oid = c.connamespace and n.nspname in ('public', 'private')
     where c.contype = 'c' and c.conrelid <> 0 and not exists (
       select 1 from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum = any (c.conkey)
       where t.oid = c.conrelid and n.nspname || '.' || t.relname || '.' || a.attname = any ($1))
     order by 1`,
    [[...tried, ...together]],
  );
  expect(rows).toEqual([]);
});

test.each([['//evil.test/a.png'], ['/a.png?x=<script>'], ['/../a b.png']])(
  'an image address %s is refused: what begins with a slash has to be a picture of this site',
  async (address) => {
    const call = client.query("select private.normalize_image_url($1, 'INVALID_IMAGE_URL')", [address]);
    await expect(call).rejects.toMatchObject({ hint: 'INVALID_IMAGE_URL' });
  },
);
