import { readFileSync } from 'node:fs';
import { withClient } from '../local/database/connection.ts';
import type { StackEnv } from '../local/env.ts';

/**
 * Data sizes. The floors of docs/benchmarks.md apply to `full`; `small` is for a quick look. Newcomers are new accounts that the approval and
 * referral scripts use up, one per call. Pending submissions are a multiple of one project's share (100), each of another member.
 */
export const SIZES = {
  small: {
    wallets: 50_000,
    newcomers: 300_000,
    campaigns: 5_000,
    submissions: 200_000,
    pending: 80_000,
    transactions: 400_000,
  },
  full: {
    wallets: 1_000_000,
    newcomers: 600_000,
    campaigns: 100_000,
    submissions: 5_000_000,
    pending: 200_000,
    transactions: 10_000_000,
  },
} as const;

export type Size = keyof typeof SIZES;

/** Existing proofs against which new ones are looked up. */
const FINGERPRINTS = 200_000;
const TASKS_PER_CAMPAIGN = 5;
const CAMPAIGNS_PER_STARTUP = 50;
/** The data is spread evenly over two years. */
const PERIOD_SECONDS = 2 * 365 * 86_400;

/** SQL for one of 5,000 words used in titles; each occurs in a few quests. */
export const searchWord = (n: string): string => `translate(left(md5((${n})::text), 9), '0123456789', 'ghijklmnop')`;

/** Statements that insert `size` rows directly into the product's tables: only speed is measured on them. */
function dataSets(size: Size): { name: string; sql: string }[] {
  const { wallets, newcomers, campaigns, submissions, pending, transactions } = SIZES[size];
  const startups = campaigns / CAMPAIGNS_PER_STARTUP;
  const tasks = campaigns * TASKS_PER_CAMPAIGN;
  return [
    {
      name: 'settings',
      sql: 'update public.app_settings set beta_mode = true, submissions_per_minute = 600',
    },
    {
      name: `${startups} startups`,
      sql: `insert into public.startup_profiles (owner_user_id, name, industry, status)
        select 'bench_owner_' || i, 'Startup ' || i, 'SaaS', 'verified' from generate_series(1, ${startups}) i`,
    },
    {
      name: `${campaigns} campaigns`,
      sql: `insert into public.campaigns (startup_id, title, summary, status, budget_points, published_at, created_at, task_count, open_reward_points, total_slots)
        select s.id, 'Quest ' || s.n || '.' || i || ' ' || ${searchWord('(s.n * 50 + i) % 5000')}, 'Summary of quest ' || i, 'published', 100 + (s.n * 37 + i * 101) % 4900,
          now() - make_interval(secs => (s.n * 50 + i) * 60), now() - make_interval(secs => (s.n * 50 + i) * 60), 5, 50, 500000
        from (select id, row_number() over (order by id) as n from public.startup_profiles) s, generate_series(1, ${CAMPAIGNS_PER_STARTUP}) i`,
    },
    {
      name: `${tasks} tasks`,
      sql: `insert into public.tasks (campaign_id, title, type, instructions_md, reward_points, max_completions, proof_type, order_index)
        select c.id, 'Task ' || i, 'visit', 'Do it', 10, 100000, 'link', i from public.campaigns c, generate_series(1, ${TASKS_PER_CAMPAIGN}) i`,
    },
    {
      name: 'what quests are found by',
      sql: 'select private.index_quests(array(select id from public.campaigns))',
    },
    {
      name: `${wallets} member wallets, newcomers, and a reserve for each campaign`,
      sql: `insert into public.wallets (kind, owner_user_id, user_id, points, lifetime_points, leaderboard_points)
          select 'user', 'bench_member_' || i, 'bench_member_' || i, 100000, 100000, (i::bigint * 7919) % 100000 from generate_series(1, ${wallets + newcomers}) i;
        insert into public.wallets (kind, owner_user_id, campaign_id, points) select 'reserve', 'bench', c.id, 1000000000 from public.campaigns c;
        insert into public.user_profiles (user_id, username, created_at) select 'bench_member_' || i, 'member' || i,
            case when i > ${wallets} then now() else now() - make_interval(secs => ${PERIOD_SECONDS} - i::bigint * ${PERIOD_SECONDS} / ${wallets}) end
          from generate_series(1, ${wallets + newcomers}) i`,
    },
    {
      name: `${submissions} submissions`,
      sql: `insert into public.submissions (task_id, campaign_id, user_id, proof_url, status, reward_points, reviewed_by, submitted_at, created_at, reviewed_at)
        select t.id, t.campaign_id, 'bench_member_' || 1 + (i / ${tasks} + t.n * 13) % ${wallets}, 'https://example.com/' || i, 'approved', 10, 'beta', at, at, at
        from generate_series(0, ${submissions - 1}) i
        cross join lateral (select now() - make_interval(secs => ${PERIOD_SECONDS} - i::bigint * ${PERIOD_SECONDS} / ${submissions}) as at) a
        join (select id, campaign_id, row_number() over () - 1 as n from public.tasks) t on t.n = i % ${tasks}`,
    },
    {
      name: `${transactions} transactions`,
      sql: `with moved as (
          insert into public.transfers (kind, points, description, created_at)
          select 'task_completion', 10, 'Task completion: bench',
            now() - make_interval(secs => ${PERIOD_SECONDS} - i::bigint * ${PERIOD_SECONDS} / ${transactions / 2})
          from generate_series(1, ${transactions / 2}) i returning id
        )
        insert into public.entries (transfer_id, wallet_id, user_id, system_account, type)
        select m.id, side.wallet_id, side.user_id, side.system_account, side.type::public.transaction_type
        from moved m
        join (select id, user_id, row_number() over () - 1 as n from public.wallets where kind = 'user') w on w.n = m.id % ${wallets}
        cross join lateral (values (w.id, w.user_id, null, 'credit'), (null, null, 'issuance', 'debit'))
          side (wallet_id, user_id, system_account, type)`,
    },
    {
      name: 'what the scripts pick from',
      sql: `insert into bench.tasks select row_number() over (), t.id from (select id from public.tasks order by id limit 20000) t;
        insert into bench.hot_tasks select row_number() over (), t.id from public.tasks t where t.campaign_id = (select max(c.id::text)::uuid from public.campaigns c);
        insert into bench.accounts select i, 100000 from generate_series(1, ${wallets}) i;
        insert into public.rewards (title, points_cost, stock_quantity) select 'Reward ' || i, 1, 1000000 from generate_series(1, 500) i;
        insert into bench.rewards select row_number() over (), r.id from public.rewards r where r.title like 'Reward %';
        insert into public.referral_codes (user_id, code) select 'bench_member_' || i, 'BENCH' || i from generate_series(1, 5000) i;
        select setval('bench.member', ${wallets + 1})`,
    },
    {
      name: `${pending} pending submissions, a hundred of each of ${pending / 100} projects`,
      // From the newest accounts, which the other scripts do not reach.
      sql: `insert into public.submissions (task_id, campaign_id, user_id, proof_url, status, reward_points)
          select t.id, t.campaign_id, 'bench_member_' || ${wallets + newcomers} + 1 - s.n, 'https://example.com/p/' || s.n, 'pending', 10
          from generate_series(1, ${pending}) s (n)
          join (select id, campaign_id, row_number() over (order by campaign_id, id) as n from public.tasks
            where campaign_id in (select min(c.id::text)::uuid from public.campaigns c group by c.startup_id)) t
            on t.n = 1 + (s.n - 1) / 20 % ${startups * TASKS_PER_CAMPAIGN};
        insert into bench.pending
          select row_number() over (order by c.startup_id, s.user_id, s.id), s.id, p.owner_user_id
          from public.submissions s join public.campaigns c on c.id = s.campaign_id join public.startup_profiles p on p.id = c.startup_id
          where s.status = 'pending';
        update public.tasks t set pending_count = p.count, pending_points = 10 * p.count
          from (select task_id, count(*) as count from public.submissions where status = 'pending' group by task_id) p where p.task_id = t.id;
        update public.campaigns c set pending_count = p.count, submission_count = p.count
          from (select campaign_id, count(*) as count from public.submissions where status = 'pending' group by campaign_id) p
          where p.campaign_id = c.id`,
    },
    {
      name: 'what flags are looked up in: mailboxes and screenshots of the newcomers, fingerprints, texts',
      sql: `insert into private.known_mailboxes (user_id, mailbox)
          select 'bench_member_' || i, sha256(convert_to(i::text, 'UTF8')) from generate_series(${wallets + 1}, ${wallets + newcomers}) i;
        insert into storage.objects (bucket_id, name, owner_id, version)
          select 'proofs', 'bench_member_' || i || '/p.png', 'bench_member_' || i, 'v' from generate_series(${wallets + 1}, ${wallets + newcomers}) i;
        insert into private.verified_uploads (bucket, path, object_id, version, owner, sha256, dhash, bytes, mime)
          select 'proofs', o.name, o.id, 'v', o.owner_id, encode(sha256(convert_to(o.name, 'UTF8')), 'hex'),
            hashtextextended(o.name, 1)::bit(64), 1000, 'image/png'
          from storage.objects o where o.bucket_id = 'proofs';
        insert into bench.texts select n, string_agg(w.word, ' ' order by random()) from generate_series(0, 9999) n
          cross join lateral (select 'word' || floor(random() * 3000 + n * 0) as word from generate_series(1, 40)) w group by n;
        insert into private.submission_fingerprints (key, submission_id, dhash)
          select unnest(case s.n % 3
              when 0 then array[hashtextextended('link:' || private.normalize_link(s.proof_url), 0)]
              when 1 then private.text_keys(t.text, s.campaign_id)
              else private.picture_keys(hashtextextended(s.id::text, 1)::bit(64), false) end),
            s.id, case when s.n % 3 = 2 then hashtextextended(s.id::text, 1)::bit(64) end
          from (select *, row_number() over () as n from public.submissions limit ${FINGERPRINTS}) s join bench.texts t on t.n = s.n % 10000`,
    },
    {
      name: 'kept counts, and figures as the worker rolls them up',
      sql: `insert into private.counter_deltas (name, change) select r.name, r.count from private.recompute_counters() r where r.count <> 0;
        select private.roll_up_figures(p_time => null)`,
    },
    { name: 'statistics of the planner', sql: 'vacuum analyze' },
  ];
}

/**
 * Fills an empty database, and adds the procedures that the pgbench scripts call. Neither triggers nor foreign keys are asked, which would
 * take as long as the rows themselves: what triggers maintain is part of the data.
 */
export async function fill(env: StackEnv, size: Size): Promise<void> {
  await withClient(env.DATABASE_URL, (client) =>
    client.query(readFileSync(new URL('./sql/minimal.sql', import.meta.url), 'utf8')),
  );
  await withClient(env.ADMIN_DATABASE_URL, async (client) => {
    await client.query('set session_replication_role = replica');
    for (const { name, sql } of dataSets(size)) {
      const start = performance.now();
      await client.query(sql);
      console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    }
  });
}
