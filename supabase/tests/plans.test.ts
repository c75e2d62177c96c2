import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testEnv } from '../../local/testing/clients.ts';

// The file's database at a size where a sequential scan would show, over two years: 20k members and quests, 40k tasks, 50k submissions,
// 60k ledger rows, 40k events.
const LARGE = [
  'user_profiles',
  'wallets',
  'transfers',
  'entries',
  'campaigns',
  'tasks',
  'submissions',
  'redemptions',
  'startup_profiles',
  'quest_search',
  'search_words',
  'outbox_events',
];

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: testEnv().DATABASE_URL });
  await client.connect();
  await client.query(DATA);
  // As the outbox worker does on each tick.
  await client.query('select private.roll_up_figures(p_time => null)');
  await client.query('vacuum analyze');
}, 300_000);

afterAll(() => client.end());

const DATA = `
  set synchronous_commit = off;
  create function pg_temp.id(p_kind text, p_n bigint) returns uuid language sql immutable as $$ select md5(p_kind || p_n)::uuid $$;
  insert into public.user_profiles (user_id, username, email, created_at)
    select 'u' || n, 'user' || n, 'u' || n || '@example.com', now() - n * interval '1 hour' from generate_series(1, 20000) n;
  insert into public.wallets (id, kind, owner_user_id, user_id, points, lifetime_points, leaderboard_points)
    select pg_temp.id('w', n), 'user', 'u' || n, 'u' || n, n % 997, n % 997, n % 997 from generate_series(1, 20000) n;
  insert into public.startup_profiles (id, owner_user_id, name, industry, status, created_at)
    select pg_temp.id('s', n), 'u' || n, 'Project ' || n, 'SaaS', 'verified', now() - n * interval '1 hour' from generate_series(1, 20000) n;
  -- Each task would rewrite its quest and the quest's search words, which would take most of the setup time.
  alter table public.campaigns disable trigger campaigns_search;
  alter table public.tasks disable trigger tasks_search;
  alter table public.tasks disable trigger tasks_open_reward_row;
  insert into public.campaigns (id, startup_id, title, summary, details_md, status, budget_points, task_count, total_slots, open_reward_points, published_at, created_at)
    select pg_temp.id('c', n), pg_temp.id('s', n), 'Quest ' || translate(left(md5(n::text), 12), '0123456789', 'ghijklmnop'), 'Summary', repeat('Details. ', 100), 'published', n % 500, 2, 200, 10,
      now() - n * interval '1 hour', now() - n * interval '1 hour' from generate_series(1, 20000) n;
  insert into public.tasks (id, campaign_id, title, type, reward_points, max_completions, order_index)
    select pg_temp.id('t', n), pg_temp.id('c', 1 + n % 20000), 'Task', 'visit', 5, 100, n / 20000 from generate_series(0, 39999) n;
  alter table public.tasks enable trigger tasks_open_reward_row;
  alter table public.campaigns enable trigger campaigns_search;
  alter table public.tasks enable trigger tasks_search;
  insert into private.quest_search (campaign_id, document) select id, to_tsvector('simple', title || ' project task') from public.campaigns on conflict do nothing;
  insert into private.search_words (word) select distinct w.lexeme from private.quest_search q cross join unnest(q.document) w on conflict do nothing;
  insert into public.submissions (task_id, campaign_id, user_id, proof_text, status, reward_points, submitted_at, reviewed_at)
    select pg_temp.id('t', n % 40000), pg_temp.id('c', 1 + n % 40000 % 20000), 'u' || (1 + n * 2 / 5), 'x', case when n % 50 = 0 then 'pending' else 'approved' end::public.submission_status,
      5, now() - n * interval '20 minutes', case when n % 50 > 0 then now() - n * interval '20 minutes' end from generate_series(49999, 0, -1) n;
  insert into public.transfers (kind, points, description, created_at)
    select 'task_completion', 5, 'x', now() - (60012 - n) * interval '10 minutes' from generate_series(1, 60000) n;
  insert into public.entries (transfer_id, wallet_id, user_id, type, balance_after)
    select t.id, pg_temp.id('w', 1 + t.id % 20000), 'u' || (1 + t.id % 20000), 'credit', 5 from public.transfers t where t.description = 'x';
  insert into public.rewards (id, title, points_cost) values (pg_temp.id('r', 1), 'R', 5);
  insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key)
    select 'u' || (1 + n % 20000), pg_temp.id('r', 1), 'R', 5, n::text from generate_series(1, 20000) n;
  insert into public.outbox_events (type, user_id, actor_id, processed_at)
    select 'SubmissionApproved', 'u' || (1 + n % 20000), 'u' || (1 + n % 19999), now() from generate_series(1, 40000) n;`;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** Large tables that the statement scans sequentially, run as this person. */
async function scans(role: 'anon' | 'authenticated', statement: string): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query("select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)", [
      role === 'anon' ? '' : JSON.stringify({ iss: testEnv().IDENTITY_ISSUER, sub: 'u7', role }),
      role,
    ]);
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${statement}`);
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => sequentialScans(plan)));
  } finally {
    await client.query('rollback');
  }
}

function sequentialScans(plan: Plan): string[] {
  const table = plan['Relation Name'];
  const own = plan['Node Type'] === 'Seq Scan' && table && LARGE.includes(table) ? [table] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(sequentialScans)];
}

/** The reads of the screens, as PostgREST writes them: conditions, order and limit. */
const READS: [role: 'anon' | 'authenticated', what: string, statement: string][] = [
  ['anon', 'a quest', "select * from public.campaigns where id = md5('c7')::uuid"],
  [
    'anon',
    'the tasks of a quest',
    "select * from public.tasks where campaign_id = md5('c7')::uuid order by order_index",
  ],
  [
    'anon',
    'the quests of a project',
    "select * from public.campaigns where startup_id = md5('s7')::uuid and status = 'published' order by created_at desc",
  ],
  [
    'anon',
    'verified projects',
    "select id, name from public.startup_profiles where status = 'verified' order by created_at desc, id desc limit 50",
  ],
  ['authenticated', 'own profile', "select * from public.user_profiles where user_id = 'u7'"],
  ['authenticated', 'own wallet', "select * from public.wallets where user_id = 'u7'"],
  ['authenticated', 'the project’s wallet', "select * from public.wallets where startup_id = md5('s7')::uuid"],
  [
    'authenticated',
    'the latest transactions',
    "select * from public.transactions where wallet_id = md5('w7')::uuid order by id desc limit 50",
  ],
  [
    'authenticated',
    'own submissions of a quest',
    "select * from public.submissions where campaign_id = md5('c7')::uuid and user_id = 'u7'",
  ],
  [
    'authenticated',
    'submissions of a quest',
    "select * from public.submissions where campaign_id = md5('c7')::uuid order by submitted_at desc, id desc limit 50",
  ],
  [
    'authenticated',
    'submissions of a task',
    "select * from public.submissions where task_id = md5('t7')::uuid order by submitted_at desc, id desc limit 50",
  ],
  [
    'authenticated',
    'own redemptions',
    "select * from public.redemptions where user_id = 'u7' order by created_at desc, id desc limit 20",
  ],
];

describe('no statement of a screen scans a large table sequentially', () => {
  test.each(READS)('as %s: %s', async (role, _what, statement) => {
    expect(await scans(role, statement)).toEqual([]);
  });

  test('control: a condition without an index is detected', async () => {
    expect(await scans('authenticated', "select * from public.tasks where instructions_md = 'x'")).toEqual(['tasks']);
  });
});

/** Calls of the screens and of members' actions; the statements inside them are measured by the rows they scan. */
const CALLS: [who: string, call: string][] = [
  ['u9', "public.list_published_quests(null, 'new', 10, null, false)"],
  ['u9', "public.list_published_quests(null, 'trending', 50, null, true)"],
  ['u9', "public.list_published_quests(null, 'reward', 10, null, false)"],
  ['u9', "public.list_published_quests('jklcah', 'new', 10, null, false)"],
  ['u9', "public.list_published_quests(translate(left(md5('7'), 12), '0123456789', 'ghijklmnop'), 'match', 10)"],
  ['u9', "public.list_published_quests('x' || translate(left(md5('7'), 12), '0123456789', 'ghijklmnop'), 'match', 10)"],
  ['u9', "public.list_published_quests('quset projcet', 'match', 50)"],
  [
    'u9',
    "public.list_published_quests(p_proof => 'text', p_industry => 'SaaS', p_min_reward => 0, p_only_one_press => false)",
  ],
  ['u9', 'public.list_published_quests(p_max_minutes => 5)'],
  ['u9', "public.list_published_quests(null, 'new', 50, null, false, 'open')"],
  ['u9', "public.list_published_quests(null, 'new', 50, null, false, 'full')"],
  ['u9', "public.list_published_quests(null, 'reward', 50, null, false, 'open')"],
  ['u9', "public.list_published_quests(null, 'new', 100, null, false, 'all', md5('s7')::uuid)"],
  ['u9', "public.get_page_facts('quest', md5('c7')::uuid::text)"],
  ['u9', "public.get_page_facts('project', md5('s7')::uuid::text)"],
  ['u9', "public.get_page_facts('member', 'nobody')"],
  ['u9', 'public.get_own_quest_states()'],
  ['u9', 'public.list_my_quests()'],
  ['u9', 'public.list_suggested_quests()'],
  ['u9', 'public.list_own_quests()'],
  ['u7', 'public.list_review_submissions()'],
  ['u7', "public.list_review_submissions(p_status => 'pending', p_limit => 50)"],
  ['u7', "public.list_review_submissions(p_campaign_id => md5('c7')::uuid, p_sort => 'newest')"],
  ['u7', 'public.get_review_counts()'],
  ['u7', 'public.list_project_transactions()'],
  ['u7', 'public.get_project_points()'],
  ['u7', 'public.get_project_payouts()'],
  ['u9', 'public.get_leaderboard(50)'],
  ['u9', "public.get_quest_completion_stats(array[md5('c7')::uuid])"],
  ['u9', "public.get_task_completion_counts(array[md5('t7')::uuid])"],
  ['u9', "public.check_user_quest_completion('u9')"],
  ['u9', "public.get_available_quests_for_new_user('u9', 20)"],
  ['u7', 'public.get_own_startup()'],
  ['u7', "public.get_campaign_performance_stats(md5('c7')::uuid)"],
  ['u19999', "public.submit_proof(md5('t7')::uuid, null, 'x', null)"],
  ['u19998', "public.redeem_reward_safe(md5('r1')::uuid, 'plan')"],
  ['u19997', 'public.sync_current_user()'],
  ['u19996', 'public.get_own_data()'],
];

describe('no procedure scans a large table sequentially', () => {
  test.each(CALLS)('as %s: %s', async (who, call) => {
    expect(await usedBy(call, { claims: { sub: who } }, 'seq_scan')).toEqual({});
  });
});

test('TRUST-28 an erasure looks only at what is its person’s', async () => {
  const erase = "public.anonymise_user('u19995')";
  expect(await usedBy(erase, { claims: { sub: 'u9' }, role: 'none' }, 'seq_scan')).toEqual({});
});

test('TRUST-24 the clean-up of each minute looks only at what is due', async () => {
  expect(await usedBy('private.remove_expired()', { claims: { sub: 'u9' }, role: 'none' }, 'seq_scan')).toEqual({});
});

test('ADMIN-12 the system status reads the events that are not processed, and no others', async () => {
  const claims = { sub: 'u9', public_metadata: { role: 'admin' } };
  expect(await usedBy('public.get_system_health()', { claims }, 'seq_scan')).toEqual({});
});

test('TRUST-26 whether a logo is shown is looked up, a thousand times for each page of files', async () => {
  expect(
    await usedBy("private.is_logo_shown('u9/logo.png')", { claims: { sub: 'u9' }, role: 'none' }, 'seq_scan'),
  ).toEqual({});
});

test('BEY-18 measuring how long quests take reads an index range', async () => {
  expect(await usedBy('private.measure_quests()', { claims: { sub: 'u9' }, role: 'none' }, 'seq_scan')).toEqual({});
});

test.each(['sum_ledger', 'sum_member_weeks'])(
  'DB-21 %s reads the entries since the last roll-up, their transfers and wallets, and no others',
  async (procedure) => {
    const last = 'select max(e.id) - 4000 from public.entries e';
    const call = `private.${procedure}((${last}), 9223372036854775807)`;
    expect(await usedBy(call, { claims: { sub: 'u9' }, role: 'none' }, 'seq_scan')).toEqual({});
    const rows = await usedBy(
      call,
      { claims: { sub: 'u9' }, role: 'none' },
      'coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)',
    );
    expect(rows.transfers).toBeLessThan(3000);
  },
);

describe('ADMIN-02 ADMIN-11 DB-26 the cost of dashboards does not grow with the data', () => {
  const asAdmin = { claims: { sub: 'u9', public_metadata: { role: 'admin' } } };

  test.each(['public.get_platform_stats(7)', 'public.get_platform_stats(30)'])(
    '%s reads a range of an index',
    async (call) => {
      expect(await usedBy(call, asAdmin, 'seq_scan')).toEqual({});
    },
  );

  const COUNTED = ['campaign_email_collections', 'referral_codes', 'referrals', 'beta_feedback'];
  const TOTALS = [
    'private.platform_totals(private.counters())',
    'public.get_points_transfer_stats()',
    'private.referral_overview()',
    'public.get_referral_system_health()',
    'public.get_mailing_list_stats()',
    'public.get_beta_feedback_stats()',
  ];
  test.each(TOTALS)('%s reads none of the tables that it counts, and hardly a row of the others', async (call) => {
    const used = (figure: string) => usedBy(call, { ...asAdmin, role: 'none' }, figure, [...LARGE, ...COUNTED]);
    const asked = Object.keys(await used('coalesce(seq_scan, 0) + coalesce(idx_scan, 0)'));
    // The caller, and the last minute of the ledger with its wallets.
    expect(asked.filter((table) => !['user_profiles', 'transfers', 'entries', 'wallets'].includes(table))).toEqual([]);
    const rows = await used('coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)');
    // Planning reads the ends of an index.
    expect(Object.values(rows).reduce((sum, count) => sum + count, 0)).toBeLessThan(20);
  });
});

/** A counter of pg_stat_xact_user_tables by table, as increased by the procedure in its transaction, without zeros. */
async function usedBy(
  call: string,
  { claims, role = 'authenticated' }: { claims: { sub: string; public_metadata?: { role: string } }; role?: string },
  figure: string,
  tables = LARGE,
): Promise<Record<string, number>> {
  const iss = testEnv().IDENTITY_ISSUER;
  const token = { iss, role: 'authenticated', email: `${claims.sub}@example.com`, email_verified: true, ...claims };
  await client.query('begin');
  try {
    const before = await figures(figure);
    await client.query("select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)", [
      JSON.stringify(token),
      role,
    ]);
    await client.query(`select ${call}`);
    await client.query("select set_config('role', 'none', true)");
    const after = await figures(figure);
    return Object.fromEntries(
      tables
        .map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)] as const)
        .filter(([, count]) => count > 0),
    );
  } finally {
    await client.query('rollback');
  }
}

async function figures(figure: string): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; figure: string }>(
    `select relname as name, ${figure} as figure from pg_stat_xact_user_tables where schemaname in ('public', 'private')`,
  );
  return Object.fromEntries(rows.map((row) => [row.name, Number(row.figure)]));
}
