import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testEnv } from '../../local/testing/clients.ts';
import { insertFixture } from './access/fixture.ts';

/**
 * Values that no row may hold, whatever the procedures check: the last line of defence. Each value is written to a row of the access
 * matrix's fixture, without triggers and foreign keys, in a transaction that is rolled back.
 */
const client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });

beforeAll(async () => {
  await client.connect();
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await insertFixture(client);
  await client.query(`
    insert into private.redemption_addresses (redemption_id, name, street, city, country)
      select id, 'Ann', '1 Street', 'Town', 'DE' from public.redemptions limit 1;
    insert into private.payment_events (event_id, action, payment_ref) values ('evt_1', 'activate', 'cs_1')`);
});

afterAll(async () => {
  await client.query('rollback');
  await client.end();
});

/** Whether one row of the table accepts these values, each an SQL expression. */
async function takes(table: string, values: Record<string, string>): Promise<boolean> {
  const changes = Object.entries(values).map(([column, value]) => `${column} = ${value}`);
  await client.query('savepoint change');
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
    await client.query('rollback to savepoint change');
  }
}

const text = (length: number) => `repeat('x', ${length})`;

describe('texts', () => {
  test.each([
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
  ] as const)('%s.%s has %i to %i characters', async (table, column, least, most) => {
    expect(await takes(table, { [column]: text(least) })).toBe(true);
    expect(await takes(table, { [column]: text(most) })).toBe(true);
    expect(await takes(table, { [column]: text(most + 1) })).toBe(false);
    if (least > 0) expect(await takes(table, { [column]: text(least - 1) })).toBe(false);
  });
});

describe('numbers', () => {
  test.each([
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
  ] as const)('%s.%s is %i at least and %s at most', async (table, column, least, most) => {
    expect(await takes(table, { [column]: String(least) })).toBe(true);
    expect(await takes(table, { [column]: String(least - 1) })).toBe(false);
    if (most === null) return;
    expect(await takes(table, { [column]: String(most) })).toBe(true);
    expect(await takes(table, { [column]: String(most + 1) })).toBe(false);
  });
});

describe('values', () => {
  test.each([
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
  ] as const)('%s.%s takes %s and not %s', async (table, column, taken, refused) => {
    for (const value of taken) expect(await takes(table, { [column]: value }), value).toBe(true);
    for (const value of refused) expect(await takes(table, { [column]: value }), value).toBe(false);
  });
});

describe('dependent columns', () => {
  const now = 'now()';
  test.each([
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
    [
      'public.startup_profiles',
      { former_name: "'Old'", renamed_at: now },
      { former_name: "'Old'", renamed_at: 'null' },
    ],
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
  ] as [string, Record<string, string>, Record<string, string>][])(
    '%s takes %j and not %j',
    async (table, taken, refused) => {
      expect(await takes(table, taken)).toBe(true);
      expect(await takes(table, refused)).toBe(false);
    },
  );
});

test.each([['//evil.test/a.png'], ['/a.png?x=<script>'], ['/../a b.png']])(
  'an image address %s is refused: what begins with a slash has to be a picture of this site',
  async (address) => {
    await client.query('savepoint image');
    const call = client.query("select private.normalize_image_url($1, 'INVALID_IMAGE_URL')", [address]);
    await expect(call).rejects.toMatchObject({ hint: 'INVALID_IMAGE_URL' });
    await client.query('rollback to savepoint image');
  },
);
