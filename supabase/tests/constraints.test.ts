import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testEnv } from '../../local/testing/clients.ts';
import { insertFixture } from './access/fixture.ts';

/**
 * Values that no row may hold, whatever the procedures check: the last line of defence. Each value is written to a row of the access
 * matrix's fixture, without triggers and foreign keys, in a transaction that is rolled back. None stays open between two tests, because
 * the mutation run then changes the tables.
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
    insert into private.product_owner default values on conflict do nothing;
    insert into private.write_windows (action, starts_at, shard, amount) values ('x', now(), 0, 1);
    insert into private.idempotency_keys (user_id, action, key, subject_id) values ('a', 'x', 'k', gen_random_uuid());
    insert into private.member_weeks (user_id, week, points, tasks) values ('a', '2026-01-05', 1, 1);
    insert into private.ledger_daily (day, account, kind, type, entries, points, last_at)
      values ('2026-01-05', 'user', 'refund', 'credit', 1, 1, now());
    insert into private.verified_uploads (bucket, path, object_id, owner, sha256, bytes, mime)
      values ('proofs', 'a/1.png', gen_random_uuid(), 'a', repeat('a', 64), 1, 'image/png');
    insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, decided_by)
      values (gen_random_uuid(), 'a', 'V', 'verified', 'questboard');
    insert into private.completion_codes (task_id, code_hash, is_shared) values (gen_random_uuid(), '', false);
    insert into private.task_checks (task_id, source, target) values (gen_random_uuid(), 'endpoint', 'https://x.test');
    insert into private.tested_endpoints (startup_id, url) values (gen_random_uuid(), 'https://x.test');
    insert into private.signing_secrets (startup_id, secret, last_characters) values (gen_random_uuid(), '', 'abcd');
    insert into private.task_tokens (task_id, user_id) values (gen_random_uuid(), 'a');
    insert into private.verification_calls (startup_id, kind, call_id, status, code, message)
      values (gen_random_uuid(), 'call', 'x', 200, 'COMPLETED', '');
    insert into private.reward_codes (reward_id, code, fingerprint) values (gen_random_uuid(), '', '');
    insert into private.redemption_marks (redemption_id, flagged_points) values (gen_random_uuid(), 1);
    insert into private.site_stats_cache (member_count, active_campaigns, verified_startups, points_earned, counted_at)
      values (1, 1, 1, 1, now()) on conflict do nothing;
    insert into private.csp_reports (directive, blocked, page) values ('img-src', 'inline', '/');
    insert into private.worker_runs (worker) values ('send-mails') on conflict do nothing;
    insert into private.failed_jobs (job, last_error) values ('roll_up_figures', 'x') on conflict do nothing`);
});

afterAll(() => client.end());

/** The constraint that refuses these values, each an SQL expression, in one row of the table; null when the row takes them. */
async function refusedBy(table: string, values: Record<string, string>): Promise<string | null> {
  const changes = Object.entries(values).map(([column, value]) => `${column} = ${value}`);
  await client.query('begin');
  try {
    const { rowCount } = await client.query(
      `update ${table} set ${changes.join(', ')} where ctid = (select ctid from ${table} order by ctid limit 1)`,
    );
    expect(rowCount, `${table} has no row`).toBe(1);
    return null;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '23514') return `${table}: ${error.constraint}`;
    throw error;
  } finally {
    await client.query('rollback');
  }
}

const takes = async (table: string, values: Record<string, string>) => (await refusedBy(table, values)) === null;

const text = (length: number) => `repeat('x', ${length})`;

const TEXTS: [table: string, column: string, least: number, most: number][] = [
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
  ['public.tasks', 'link_url', 0, 2048],
  ['private.task_checks', 'target', 0, 2048],
  ['private.tested_endpoints', 'url', 0, 2048],
  ['private.signing_secrets', 'last_characters', 4, 4],
  ['private.task_tokens', 'participant_email', 0, 254],
  ['private.verification_calls', 'call_id', 1, 256],
  ['private.verification_calls', 'token', 0, 64],
  ['private.verification_calls', 'code', 0, 100],
  ['private.verification_calls', 'message', 0, 500],
  ['public.beta_feedback', 'title', 1, 200],
  ['public.beta_feedback', 'description', 1, 5000],
  ['public.beta_feedback', 'admin_notes', 0, 2000],
  ['public.project_feedback', 'feedback_text', 1, 2000],
  ['private.csp_reports', 'blocked', 1, 200],
  ['private.csp_reports', 'page', 0, 200],
  ['private.worker_runs', 'last_problem', 0, 500],
  ['private.failed_jobs', 'last_error', 0, 500],
];

describe('texts', () => {
  test.each(TEXTS)('%s.%s has %i to %i characters', async (table, column, least, most) => {
    expect(await takes(table, { [column]: text(least) })).toBe(true);
    expect(await takes(table, { [column]: text(most) })).toBe(true);
    expect(await takes(table, { [column]: text(most + 1) })).toBe(false);
    if (least > 0) expect(await takes(table, { [column]: text(least - 1) })).toBe(false);
  });
});

const NUMBERS: [table: string, column: string, least: number, most: number | null][] = [
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
  ['public.app_settings', 'paid_referrals_per_day', 0, 100_000],
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
  ['public.wallets', 'points', 0, null],
  ['public.wallets', 'lifetime_points', 0, null],
  ['public.wallets', 'leaderboard_points', 0, null],
  ['public.wallets', 'cash_cents', 0, null],
  ['public.wallets', 'held_points', 0, 0],
  ['public.wallets', 'trial_points', 0, 0],
  ['public.entries', 'balance_after', 0, null],
  ['private.verified_uploads', 'bytes', 1, null],
  ['public.subscriptions', 'amount_cents', 0, null],
  ['public.point_purchases', 'points', 1, 1_000_000],
  ['public.point_purchases', 'amount_cents', 0, null],
  ['public.campaigns', 'review_hours', 24, 504],
  ['public.campaigns', 'median_minutes', 1, null],
  ['private.task_tokens', 'reward_points', 0, 1000],
  ['private.redemption_marks', 'flagged_points', 1, null],
  ['public.beta_feedback', 'rating', 1, 5],
  ['public.project_feedback', 'rating', 1, 5],
];

describe('numbers', () => {
  test.each(NUMBERS)('%s.%s is %i at least and %s at most', async (table, column, least, most) => {
    expect(await takes(table, { [column]: String(least) })).toBe(true);
    expect(await takes(table, { [column]: String(least - 1) })).toBe(false);
    if (most === null) return;
    expect(await takes(table, { [column]: String(most) })).toBe(true);
    expect(await takes(table, { [column]: String(most + 1) })).toBe(false);
  });
});

const VALUES: [table: string, column: string, taken: string[], refused: string[]][] = [
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
  ['private.mailbox_domains', 'domain', ["'x.test'"], ["'X.test'"]],
  ['private.mailbox_domains', 'kind', ["'disposable'", "'forwarding'"], ["'other'"]],
  [
    'public.user_profiles',
    'interests',
    ["'{}'", "'{SaaS}'", "array_fill('SaaS'::text, array[20])"],
    ["'{Piracy}'", "array_fill('SaaS'::text, array[21])"],
  ],
  ['public.startup_profiles', 'logo_url', ["'https://x.test/a.png'", "'/a.png'"], ["'javascript:alert(1)'"]],
  ['public.rewards', 'image_url', ["'https://x.test/a.png'", "'/a.png'"], ["'javascript:alert(1)'"]],
  ['public.subscriptions', 'receipt_url', ["'https://x.test'"], ["'javascript:alert(1)'"]],
  ['public.subscriptions', 'plan_id', ["'og_lifetime'"], ["'other'"]],
  ['public.point_purchases', 'receipt_url', ["'https://x.test'"], ["'javascript:alert(1)'"]],
  ['public.point_purchases', 'pack_id', ["'points_small'"], ["'og_lifetime'", "'points_'"]],
  ['public.point_purchases', 'currency', ["'usd'"], ["'eur'"]],
  ['private.member_weeks', 'week', ["'2026-01-12'"], ["'2026-01-11'", "'2026-01-13'"]],
  ['public.badges', 'badge', ["'first_task'", "'twelve_weeks'"], ["'other'"]],
  ['private.ledger_daily', 'account', ["'user'", "'startup'", "'reserve'", "'system'"], ["'other'"]],
  ['private.verified_uploads', 'sha256', ["repeat('f', 64)"], ["repeat('f', 63)", "repeat('F', 64)"]],
  ['private.incentive_rules', 'id', ["'a-1'"], ["'A 1'", "''"]],
  ['private.incentive_rules', 'source_url', ["'https://x.test'"], ["'http://x.test'"]],
  ['private.task_checks', 'source', ["'endpoint'", "'github_pull_request'"], ["'other'"]],
  ['public.submission_flags', 'kind', ["'same_picture'", "'aliased_mailbox'"], ["'other'"]],
  ['public.submission_history', 'action', ["'approved'", "'overturned'"], ["'other'"]],
  ['private.redemption_addresses', 'country', ["'FR'"], ["'fr'", "'FRA'"]],
  ['public.beta_feedback', 'email', ["'a@example.com'"], ["'a'"]],
  ['public.beta_feedback', 'type', ["'bug'", "'rating'"], ["'none'"]],
  ['public.beta_feedback', 'status', ["'new'", "'resolved'"], ["'none'"]],
  ['public.beta_feedback', 'priority', ["'urgent'", "'other'"], ["'none'"]],
  ['private.csp_reports', 'directive', ["'img-src'", text(40)], ["'Img'", "''", text(41)]],
  ['public.metrics_events', 'type', ["'A'", text(64)], ["'1a'", "''", text(65)]],
  [
    'public.metrics_events',
    'data',
    ["'{}'", `jsonb_build_object('a', ${text(4096 - 9)})`],
    ["'[]'", `jsonb_build_object('a', ${text(4096 - 8)})`],
  ],
  ['public.member_profiles', 'handle', ["'a-b-c'", text(30)], ["'ab'", "'a--b'", "'-abc'", "'Abc'", text(31)]],
  ['private.worker_runs', 'worker', ["'a-b'", text(60)], ["'A'", "''", text(61)]],
  ['private.failed_jobs', 'job', ["'a_b'", text(60)], ["'A'", "''", text(61)]],
];

describe('values', () => {
  test.each(VALUES)('%s.%s takes %s and not %s', async (table, column, taken, refused) => {
    for (const value of taken) expect(await takes(table, { [column]: value }), value).toBe(true);
    for (const value of refused) expect(await takes(table, { [column]: value }), value).toBe(false);
  });
});

const now = 'now()';
const hold = {
  held_at: now,
  hold_reason: text(1000),
  held_by: "'a'",
  hold_cause: "'moderation'",
  status_before_hold: "'draft'",
};
const DEPENDENT: [table: string, taken: Record<string, string>, refused: Record<string, string>][] = [
  ['public.transfers', { points: '5', trial_points: '5' }, { points: '5', trial_points: '6' }],
  ['public.transfers', { points: '5', trial_points: '1' }, { points: '5', trial_points: '0' }],
  [
    'public.referrals',
    { referrer_user_id: "'a'", referred_user_id: "'b'" },
    { referrer_user_id: "'a'", referred_user_id: "'a'" },
  ],
  ['public.referrals', { status: "'completed'", completed_at: now }, { status: "'completed'", completed_at: 'null' }],
  ['public.referrals', { status: "'pending'", completed_at: 'null' }, { status: "'pending'", completed_at: now }],
  ['public.campaigns', { starts_at: now, ends_at: "now() + interval '1 second'" }, { starts_at: now, ends_at: now }],
  ['public.campaigns', { participant_count: '0' }, { participant_count: '-1' }],
  ['public.campaigns', { submission_count: '0' }, { submission_count: '-1' }],
  ['public.campaigns', { pending_count: '0' }, { pending_count: '-1' }],
  ['public.campaigns', { approved_count: '0' }, { approved_count: '-1' }],
  ['public.campaigns', { points_distributed: '0' }, { points_distributed: '-1' }],
  ['public.campaigns', { status: "'published'", published_at: now }, { status: "'published'", published_at: 'null' }],
  [
    'public.tasks',
    { max_completions: '3', approved_count: '1', pending_count: '2' },
    { max_completions: '3', approved_count: '2', pending_count: '2' },
  ],
  ['public.tasks', { approved_count: '0' }, { approved_count: '-1' }],
  ['public.tasks', { pending_count: '0' }, { pending_count: '-1' }],
  ['public.tasks', { pending_points: '0' }, { pending_points: '-1' }],
  ['public.submissions', { proof_url: 'null', proof_text: "'x'" }, { proof_url: 'null', proof_text: 'null' }],
  [
    'public.submissions',
    { proof_url: "'x'", proof_text: 'null' },
    { status: "'pending'", rejection_reason: "'other'" },
  ],
  ['public.rewards', { delivery: "'code'", stock_quantity: '0' }, { delivery: "'code'", stock_quantity: 'null' }],
  ['public.startup_profiles', { former_name: "'Old'", renamed_at: now }, { former_name: "'Old'", renamed_at: 'null' }],
  ['public.startup_profiles', { status: "'rejected'", revoked_at: now }, { status: "'verified'", revoked_at: now }],
  [
    'public.appeals',
    { status: "'open'", decided_at: 'null', decided_by: 'null', decision_note: 'null' },
    { status: "'open'", decided_at: now, decided_by: "'a'", decision_note: "'x'" },
  ],
  [
    'public.appeals',
    { status: "'upheld'", decided_at: now, decided_by: "'a'", decision_note: "'x'" },
    { status: "'upheld'", decided_at: now, decided_by: 'null', decision_note: "'x'" },
  ],
  [
    'public.appeals',
    { status: "'upheld'", decided_at: now, decided_by: "'a'", decision_note: text(1000) },
    { status: "'upheld'", decided_at: now, decided_by: "'a'", decision_note: 'null' },
  ],
  [
    'public.appeals',
    { words: "'x'" },
    { status: "'upheld'", decided_at: now, decided_by: "'a'", decision_note: text(1001) },
  ],
  ['public.wallets', { points: '5', held_points: '5' }, { points: '5', held_points: '6' }],
  ['public.wallets', { points: '5', trial_points: '5' }, { points: '5', trial_points: '6' }],
  ['public.wallets', { startup_id: 'null' }, { startup_id: 'gen_random_uuid()' }],
  ['public.wallets', { campaign_id: 'null' }, { campaign_id: 'gen_random_uuid()' }],
  ['public.wallets', { user_id: "'a'" }, { user_id: 'null' }],
  [
    'public.entries',
    { wallet_id: 'null', system_account: "'redemption'" },
    { wallet_id: 'null', system_account: "'other'" },
  ],
  [
    'public.entries',
    { wallet_id: 'gen_random_uuid()', system_account: 'null' },
    { wallet_id: 'null', system_account: 'null' },
  ],
  [
    'public.point_holds',
    { released_at: now, release_reason: "'time_passed'" },
    { released_at: now, release_reason: "'other'" },
  ],
  ['public.point_holds', { reversed_at: now }, { released_at: now }],
  [
    'public.point_holds',
    { released_at: now, release_reason: "'time_passed'" },
    { released_at: now, release_reason: "'time_passed'", reversed_at: now },
  ],
  ['private.project_decisions', { decision: "'revoked'" }, { decision: "'other'" }],
  [
    'private.project_decisions',
    { decision: "'held'", campaign_id: 'gen_random_uuid()' },
    { decision: "'held'", campaign_id: 'null' },
  ],
  ['public.point_purchases', { points: '5', credited_points: '5' }, { points: '5', credited_points: '6' }],
  ['public.point_purchases', { credited_points: '0' }, { credited_points: '-1' }],
  [
    'public.point_purchases',
    { status: "'paid'", points: '5', credited_points: '5' },
    { status: "'paid'", points: '5', credited_points: '4' },
  ],
  [
    'public.point_purchases',
    { written_off_at: now },
    { status: "'paid'", points: '5', credited_points: '5', written_off_at: now },
  ],
  ['public.campaigns', { ...hold, status: "'draft'" }, { ...hold, status: "'draft'", hold_reason: text(1001) }],
  ['public.campaigns', { ...hold, status: "'draft'" }, { ...hold, status: "'published'" }],
  ...Object.keys(hold).map((column): (typeof DEPENDENT)[number] => [
    'public.campaigns',
    { ...hold, status: "'draft'" },
    { ...hold, status: "'draft'", [column]: 'null' },
  ]),
  ['public.campaigns', { kept_count: '0' }, { kept_count: '-1' }],
  ['public.tasks', { kept_count: '0' }, { kept_count: '-1' }],
  ['public.tasks', { kept_points: '0' }, { kept_points: '-1' }],
  [
    'public.tasks',
    { verification: "'automatic'", requires_proof: 'true' },
    { verification: "'code'", requires_proof: 'true' },
  ],
  ['public.submissions', { status: "'rejected'", kept_until: now }, { status: "'approved'", kept_until: now }],
  ['public.submissions', { status: "'approved'", appealed_at: now }, { status: "'pending'", appealed_at: now }],
  [
    'public.submissions',
    { status: "'rejected'", kept_until: now, is_slot_reopened: 'true' },
    { status: "'rejected'", kept_until: 'null', is_slot_reopened: 'true' },
  ],
  [
    'private.completion_codes',
    { is_shared: 'false', submission_id: 'gen_random_uuid()', used_at: now },
    { is_shared: 'false', submission_id: 'null', used_at: now },
  ],
  [
    'private.completion_codes',
    { is_shared: 'true' },
    { is_shared: 'true', submission_id: 'gen_random_uuid()', used_at: now },
  ],
  ['private.verification_calls', { kind: "'check'", call_id: 'null' }, { kind: "'other'", call_id: 'null' }],
  ['private.verification_calls', { kind: "'call'", call_id: "'x'" }, { kind: "'check'", call_id: "'x'" }],
  [
    'public.submission_flags',
    { dismissed_at: now, dismissed_by: "'a'", dismissal_reason: text(1000) },
    { dismissed_at: now, dismissed_by: "'a'", dismissal_reason: text(1001) },
  ],
  ...['dismissed_at', 'dismissed_by', 'dismissal_reason'].map((column): (typeof DEPENDENT)[number] => [
    'public.submission_flags',
    { dismissed_at: 'null' },
    { [column]: column === 'dismissed_at' ? now : "'x'" },
  ]),
  ['public.appeals', { kind: "'suspension'" }, { kind: "'suspension'", submission_id: 'gen_random_uuid()' }],
  ['private.reward_codes', { shown_at: now, redemption_id: 'gen_random_uuid()' }, { shown_at: now }],
];

describe('dependent columns', () => {
  test.each(DEPENDENT)('%s takes %j and not %j', async (table, taken, refused) => {
    expect(await takes(table, taken)).toBe(true);
    expect(await takes(table, refused)).toBe(false);
  });
});

test('every check constraint has refused a value above', async () => {
  const refused = [
    ...TEXTS.flatMap(([table, column, least, most]) => [
      ...(least > 0 ? [{ table, values: { [column]: text(least - 1) } }] : []),
      { table, values: { [column]: text(most + 1) } },
    ]),
    ...NUMBERS.map(([table, column, least]) => ({ table, values: { [column]: String(least - 1) } })),
    ...VALUES.flatMap(([table, column, , values]) => values.map((value) => ({ table, values: { [column]: value } }))),
    ...DEPENDENT.map(([table, , values]) => ({ table, values })),
  ];
  const refusing = new Set<string | null>();
  for (const { table, values } of refused) refusing.add(await refusedBy(table, values));
  const { rows } = await client.query<{ name: string }>(
    `select o.conrelid::regclass || ': ' || o.conname as name from pg_constraint o
     where o.contype = 'c' and o.connamespace in ('public'::regnamespace, 'private'::regnamespace) and o.conrelid <> 0
     order by 1`,
  );
  const names = rows.map(({ name }) => (name.startsWith('private.') ? name : `public.${name}`));
  expect(names.filter((name) => !refusing.has(name))).toEqual([]);
});

test('C-93 a redemption has one code', async () => {
  await client.query('begin');
  const both = client.query(
    `insert into private.reward_codes (reward_id, code, fingerprint, redemption_id)
     select gen_random_uuid(), '', '', '00000000-0000-4000-8000-000000000001' from generate_series(1, 2)`,
  );
  await expect(both).rejects.toMatchObject({ constraint: 'reward_codes_redemption_id_key' });
  await client.query('rollback');
});

test.each([['//evil.test/a.png'], ['/a.png?x=<script>'], ['/../a b.png']])(
  'an image address %s is refused: what begins with a slash has to be a picture of this site',
  async (address) => {
    const call = client.query("select private.normalize_image_url($1, 'INVALID_IMAGE_URL')", [address]);
    await expect(call).rejects.toMatchObject({ hint: 'INVALID_IMAGE_URL' });
  },
);
