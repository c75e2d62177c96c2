import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql, testEnv } from '../../local/testing/clients.ts';

/** The arguments of each call to a function that returns rows. */
const CALLS: Record<string, string[]> = {
  add_reward_codes: ["(select id from public.rewards where delivery = 'code' limit 1), '{one}'"],
  admin_list_appeals: ['p_limit => 100'],
  admin_list_audit: ['p_limit => 100'],
  admin_list_campaigns: ['p_limit => 100', "p_limit => 100, p_status => 'held'"],
  admin_list_feedback: ['p_limit => 100'],
  admin_list_outbox: ['p_limit => 100', "p_limit => 100, p_state => 'failed'"],
  admin_list_redemptions: ['p_limit => 100'],
  admin_list_returned_payments: ['p_limit => 100'],
  admin_list_startups: ['p_limit => 100'],
  admin_list_submissions: ['p_limit => 100', "p_limit => 100, p_sort => 'oldest'"],
  admin_list_subscribers: ['p_limit => 100'],
  admin_list_users: ['p_limit => 100'],
  admin_search: ["'bare'", "'one task'"],
  begin_check: ["'user_of_this_test', (select id from public.tasks where title = 'Checked')"],
  check_incentives: ["'Review us', 'Write a review on Trustpilot'"],
  claim_logo_imports: [''],
  claim_orphaned_files: [''],
  claim_outbox_events: ['100'],
  complete_task_by_call: [
    "(select id from public.startup_profiles where owner_user_id = 'user_of_this_test'), 'call', 'no token'",
  ],
  count_public_pages: [''],
  finish_check: ["'user_of_this_test', (select id from public.tasks where title = 'Checked'), 'Not yet'"],
  fulfil_redemptions: ['array(select id from public.redemptions limit 5)'],
  get_appeal_figures: [''],
  get_available_quests_for_new_user: ["'user_of_this_test'"],
  get_leaderboard: ['100'],
  get_member_profile: ["'no-such-handle'"],
  get_notification_preferences: [''],
  get_og_slots: [''],
  get_own_quest_states: [''],
  get_own_rank: [''],
  get_own_streak: [''],
  get_page_facts: [
    "'quest', (select id::text from public.campaigns where status = 'published' limit 1)",
    "'project', (select id::text from public.startup_profiles where is_public limit 1)",
    "'member', 'no-such-handle'",
    "'invitation'",
  ],
  get_project_feedback_stats: ['(select id from public.startup_profiles limit 1)'],
  get_project_history: ["(select id from public.startup_profiles where owner_user_id = 'user_bare')"],
  get_project_payouts: [''],
  get_project_points: [''],
  get_project_promises: ["(select id from public.startup_profiles where owner_user_id = 'user_empty')"],
  get_quest_completion_stats: ['array(select id from public.campaigns limit 200)'],
  get_quest_limits: [''],
  get_recent_activity: [''],
  get_redemption_sources: ["(select id from public.redemptions where user_id = 'user_given')"],
  get_referral_system_health: [''],
  get_review_counts: [''],
  get_site_stats: [''],
  get_task_completion_counts: ['array(select id from public.tasks limit 200)'],
  get_task_verifications: ["(select id from public.campaigns where title = 'Draft')"],
  get_user_referral_stats: ["'user_of_this_test'", "'user_demo_member'"],
  list_collected_emails: ['(select campaign_id from public.campaign_email_collections limit 1)'],
  list_followed_projects: [''],
  list_my_quests: [''],
  list_notifications: [''],
  list_own_payments: [''],
  list_own_quests: [''],
  list_own_referrals: [''],
  list_own_transactions: [''],
  list_project_feedback: ['(select project_id from public.project_feedback limit 1)'],
  list_project_transactions: [''],
  list_published_quests: ['p_limit => 100'],
  list_review_submissions: [''],
  list_saved_quests: [''],
  list_signing_secrets: ["(select id from public.startup_profiles where owner_user_id = 'user_of_this_test')"],
  list_suggested_quests: ['12'],
  list_transactions: ["(select id from public.wallets where user_id = 'user_demo_member')"],
  list_verification_calls: ["(select id from public.startup_profiles where owner_user_id = 'user_of_this_test')"],
  rebuild_site_stats_cache: [''],
  reconcile_ledger: [''],
  review_submissions: [
    "array(select s.id from public.submissions s where s.user_id = 'user_with_text') || gen_random_uuid(), 'approve'",
  ],
  run_security_scan: [''],
  start_task: ["(select id from public.tasks where title = 'Checked')"],
};

/** Rows with as many nulls as their tables allow, which the demo data lacks. */
const BARE_ROWS = `
  insert into public.user_profiles (user_id, username) values ('user_bare', 'bare');
  insert into public.audit_log (actor_id, action, subject_type, subject_id) values ('system', 'test', 'test', 'test');
  insert into public.outbox_events (type) values ('Test');
  select private.enqueue_event('SubmissionApproved', 'user_of_this_test', '{}');
  insert into public.beta_feedback (type, title, description) values ('bug', 'Test', 'Test');
  insert into public.mailing_list (email) values ('bare@example.com');
  insert into public.startup_profiles (owner_user_id, name, industry, status) values ('user_bare', 'Bare', 'Other', 'verified'),
    ('user_empty', 'Empty', 'Other', 'verified');
  insert into public.campaigns (startup_id, title, status, published_at)
    select s.id, t.title, 'published', now() from public.startup_profiles s, (values ('One task'), ('No task'), ('Begun')) t (title)
    where s.owner_user_id = 'user_bare';
  insert into public.startup_profiles (owner_user_id, name, industry) values ('user_of_this_test', 'Own', 'Other');
  update public.app_settings set beta_mode = false;
  select public.activate_subscription(s.id, 'og_lifetime', 'bare', 'bare', 9900, 9900) from public.startup_profiles s
    where s.owner_user_id = 'user_of_this_test';
  insert into public.campaigns (startup_id, title) select s.id, 'Draft' from public.startup_profiles s
    where s.owner_user_id = 'user_of_this_test';
  insert into public.campaigns (startup_id, title, submission_count) select s.id, 'Done', 1 from public.startup_profiles s
    where s.owner_user_id = 'user_of_this_test';
  insert into public.tasks (campaign_id, title, type, reward_points, max_completions, pending_count)
    select c.id, 'Own task', 'visit', 0, 2, 2 from public.campaigns c where c.title = 'Draft';
  update public.campaigns set pending_count = 2, submission_count = 2, total_slots = 2 where title = 'Draft';
  insert into public.submissions (task_id, campaign_id, user_id, proof_text, proof_url, reward_points)
    select t.id, t.campaign_id, p.*, 0 from public.tasks t, (values ('user_with_text', 'x', null),
      ('user_with_link', null, 'https://example.com')) p (user_id, proof_text, proof_url) where t.title = 'Own task';
  insert into public.wallets (kind, owner_user_id, startup_id) select 'startup', s.owner_user_id, s.id
    from public.startup_profiles s where s.owner_user_id = 'user_of_this_test';
  select private.transfer(null, w.id, 5, 'purchase', 'Bought') from public.wallets w where w.owner_user_id = 'user_of_this_test'
    and w.kind = 'startup';
  update public.campaigns set task_count = 1, total_slots = 1 where title = 'One task';
  insert into public.tasks (campaign_id, title, type, reward_points, max_completions)
    select c.id, 'Task', 'visit', 1, 1 from public.campaigns c where c.title in ('One task', 'Begun');
  insert into public.submissions (task_id, campaign_id, user_id, proof_text, reward_points)
    select t.id, t.campaign_id, 'user_without_profile', 'x', 1 from public.tasks t join public.campaigns c on c.id = t.campaign_id
    where c.title = 'One task';
  insert into public.submissions (task_id, campaign_id, user_id, proof_text, reward_points)
    select t.id, t.campaign_id, 'user_of_this_test', 'x', 1 from public.tasks t join public.campaigns c on c.id = t.campaign_id
    where c.title = 'Begun';
  insert into public.user_profiles (user_id, username) values ('user_of_this_test', 'of this test');
  insert into public.tasks (campaign_id, title, type, reward_points, max_completions, requires_proof, verification)
    select c.id, 'Checked', 'visit', 0, 1, false, 'check' from public.campaigns c where c.title = 'Begun';
  insert into private.task_checks select t.id, 'endpoint', 'https://shop.example' from public.tasks t where t.title = 'Checked';
  insert into private.task_tokens (task_id, user_id) select t.id, 'user_of_this_test' from public.tasks t where t.title = 'Checked';
  insert into private.verification_calls (startup_id, kind, status, code, message)
    select s.id, 'check', 200, 'NOT_COMPLETED', '' from public.startup_profiles s where s.owner_user_id = 'user_of_this_test';
  insert into public.saved_quests (user_id, campaign_id) select 'user_of_this_test', c.id from public.campaigns c where c.title = 'One task';
  insert into public.followed_projects (user_id, startup_id) select 'user_of_this_test', s.id from public.startup_profiles s where s.name = 'Bare';
  insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key)
    select 'user_without_profile', r.id, r.title, 1, 'x' from public.rewards r limit 1;
  insert into public.point_purchases (owner_user_id, pack_id, points, amount_cents, payment_ref, status, credited_points)
    values ('user_without_profile', 'points_small', 5, 5, 'returned', 'refunded', 5);
  insert into public.appeals (user_id, kind, against_at, words) values ('user_without_profile', 'suspension', now(), 'x');
  insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, decided_by)
    values (gen_random_uuid(), 'user_bare', 'Bare', 'verified', 'beta');
  select private.transfer(null, private.ensure_user_wallet('user_given'), 5, 'adjustment', 'Grant');
  select private.transfer(null, private.ensure_user_wallet('user_of_this_test'), 5, 'adjustment', 'Grant');
  insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key)
    select 'user_given', r.id, r.title, 1, 'x' from public.rewards r limit 1;
  select private.transfer(private.ensure_user_wallet('user_given'), null, 1, 'redemption', 'Redeemed', 'redemption:' || r.id)
    from public.redemptions r where r.user_id = 'user_given';`;

interface Result {
  name: string;
  columns: string[];
  /** Columns that the function's comment calls nullable; the generated types follow it. */
  nullable: string[];
}

let client: pg.PoolClient;
let results: Result[];

beforeAll(async () => {
  client = await sql().connect();
  await client.query('begin');
  const { rows } = await client.query<Result>(`
    select p.proname as name, (select array_agg(a.name order by a.place) from unnest(p.proargnames, p.proargmodes) with ordinality
        a (name, mode, place) where a.mode = 't') as columns,
      coalesce(string_to_array((regexp_match(obj_description(p.oid, 'pg_proc'), 'Nullable: ([a-z_, ]+)\\.'))[1], ', '), '{}') as nullable
    from pg_proc p where p.pronamespace = 'public'::regnamespace and 't' = any (p.proargmodes) order by p.proname::text collate "C"`);
  results = rows;
  await client.query(BARE_ROWS);
  // An admin who has no part in the demo data.
  const claims = {
    iss: testEnv().IDENTITY_ISSUER,
    sub: 'user_of_this_test',
    role: 'authenticated',
    public_metadata: { role: 'admin' },
  };
  await client.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
});

afterAll(async () => {
  await client.query('rollback');
  client.release();
});

/** Columns that are null in at least one row that the function returns on the demo data. */
async function nullColumns({ name, columns }: Result): Promise<string[]> {
  const seen = new Set<string>();
  for (const args of CALLS[name] ?? []) {
    const { rows } = await client.query<Record<string, unknown>>(`select * from public.${name}(${args})`);
    for (const column of columns) if (rows.some((row) => row[column] === null)) seen.add(column);
  }
  return [...seen].sort();
}

test('every function that returns rows is called here', () => {
  expect(results.map(({ name }) => name)).toEqual(Object.keys(CALLS));
});

test('exactly the columns that the comment, and so the types, call nullable are null somewhere', async () => {
  for (const result of results) {
    expect({ [result.name]: await nullColumns(result) }).toEqual({ [result.name]: result.nullable.toSorted() });
  }
});
