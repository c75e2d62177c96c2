import { IDENTITY_ISSUER } from '../local/constants.ts';
import type { Size } from './data.ts';
import { SIZES, searchWord } from './data.ts';

/** Two pgbench scripts run in turns; the ratio of their speeds is the result. */
export interface Operation {
  name: string;
  /** The product's own statement. */
  script: string;
  /** The baseline, and its pgbench script. */
  against: string;
  baseline: string;
  /**
   * Writes: transactions per second divided by the baseline's, at least `floor` (aim `aim`). Reads: time divided by the
   * baseline's, at most.
   */
  kind: 'write' | 'read';
  floor: number;
  aim: number;
  /** Concurrent connections, where not the default. */
  clients?: number;
  /** How many baseline transactions correspond to one of the script. */
  baselineTransactions?: number;
}

const stats =
  'select * from list join public.get_quest_completion_stats(array(select list.id from list)) s on s.campaign_id = list.id;';
const listing = (tail: string) =>
  `with list as (select * from public.list_published_quests(p_sort => 'trending', p_limit => 50)) ${tail}`;

export function operations(size: Size): Operation[] {
  const { wallets } = SIZES[size];
  const transfer = `\\set a random(1, ${wallets})\n\\set b random(1, ${wallets})\nselect bench.transfer(:a, :b, 1);`;
  const approve = '\\set k random(1, 20000)\nselect bench.approve(:k);';
  const post = `\\set a random(1, ${wallets})\nselect bench.post(:a, 1);`;
  return [
    {
      name: 'minimal two-row transfer',
      script: transfer,
      against: 'the same two rows in tables without other columns and indexes',
      baseline: transfer.replace('bench.transfer', 'bench.transfer_bare'),
      kind: 'write',
      floor: 0.7,
      aim: 0.85,
    },
    {
      name: 'approval with all checks (submit_proof in beta)',
      script: approve,
      against: 'minimal two-row transfer',
      baseline: transfer,
      kind: 'write',
      floor: 0.4,
      aim: 0.5,
    },
    {
      name: 'submit a link and flag it',
      script: "\\set k random(1, 20000)\nselect bench.submit(:k, 'link', true);",
      against: 'the same without flags',
      baseline: "\\set k random(1, 20000)\nselect bench.submit(:k, 'link', false);",
      kind: 'write',
      // At most a tenth more time.
      floor: 0.91,
      aim: 0.95,
    },
    {
      name: '100 decisions in one call',
      script: 'select bench.review_hundred();',
      against: '100 single decisions',
      baseline: 'select bench.review_one();',
      baselineTransactions: 100,
      // One person decides.
      clients: 1,
      kind: 'write',
      floor: 3,
      aim: 5,
    },
    {
      name: 'approvals of one quest, 32 clients',
      script: '\\set k random(1, 5)\nselect bench.approve_hot(:k);',
      against: 'approvals spread over quests, 32 clients',
      baseline: approve,
      clients: 32,
      kind: 'write',
      floor: 0.3,
      aim: 0.6,
    },
    {
      name: 'redeem, spread rewards',
      script: `\\set m random(1, ${wallets})\n\\set r random(1, 500)\nselect bench.redeem(:m, :r);`,
      against: 'minimal two-row transfer',
      baseline: transfer,
      kind: 'write',
      floor: 0.6,
      aim: 0.75,
    },
    {
      name: 'credit',
      script: `\\set m random(1, ${wallets})\nselect public.credit_points_safe('bench_member_' || :m, 1, 'Bench');`,
      against: 'minimal one-row posting',
      baseline: post,
      kind: 'write',
      floor: 0.8,
      aim: 0.9,
    },
    {
      name: 'debit',
      script: `\\set m random(1, ${wallets})\nselect public.debit_points_safe('bench_member_' || :m, 1, 'Bench');`,
      against: 'minimal one-row posting',
      baseline: post,
      kind: 'write',
      floor: 0.8,
      aim: 0.9,
    },
    {
      name: 'referral signup',
      script: '\\set k random(1, 5000)\nselect bench.refer(:k);',
      against: 'two minimal two-row transfers',
      baseline: transfer.replace(';', ', bench.transfer(:b, :a, 1);'),
      kind: 'write',
      floor: 0.6,
      aim: 0.8,
    },
    {
      name: 'leaderboard of 50',
      script: 'select * from public.get_leaderboard(50);',
      against: 'the least SQL that returns the same rows and columns',
      baseline: `select row_number() over (order by w.leaderboard_points desc, w.user_id) as rank, null as user_id,
  coalesce(p.masked_username, '***') as username, coalesce(p.masked_name, '***') as display_name, w.leaderboard_points as total_points, false as is_self
from (
  select w.user_id, w.leaderboard_points from public.wallets w where w.kind = 'user' and w.leaderboard_points > 0
  order by w.leaderboard_points desc, w.user_id limit 50
) w left join public.user_profiles p on p.user_id = w.user_id order by 1;`.replaceAll('\n', ' '),
      kind: 'read',
      floor: 1.5,
      aim: 1.2,
    },
    {
      name: '50 quests with statistics',
      script: listing(stats),
      against: 'the same listing without statistics',
      baseline: listing('select * from list;'),
      kind: 'read',
      floor: 1.5,
      aim: 1.2,
    },
    {
      name: 'search with one typo',
      script: `\\set k random(0, 4999)
select * from public.list_published_quests(p_search => 'quest ' || overlay(${searchWord(':k')} placing '' from 4 for 1), p_sort => 'match', p_limit => 50);`,
      against: 'the listing',
      baseline: listing('select * from list;'),
      kind: 'read',
      floor: 3,
      aim: 2,
    },
    {
      name: 'own submissions under row level security',
      script: `\\set m random(1, ${wallets})
begin;
set local role authenticated;
select set_config('request.jwt.claims', '{"iss": "${IDENTITY_ISSUER}", "sub": "bench_member_' || :m || '", "role": "authenticated"}', true);
select * from public.submissions where user_id = 'bench_member_' || :m order by submitted_at desc limit 50;
commit;`,
      against: 'the same statements without row level security',
      baseline: `\\set m random(1, ${wallets})
begin;
set local role service_role;
select set_config('request.jwt.claims', '{"iss": "${IDENTITY_ISSUER}", "sub": "bench_member_' || :m || '", "role": "authenticated"}', true);
select * from public.submissions where user_id = 'bench_member_' || :m order by submitted_at desc limit 50;
commit;`,
      kind: 'read',
      floor: 1.5,
      aim: 1.1,
    },
    {
      name: `page at depth ${deep(size).toLocaleString('en')}`,
      script:
        "select * from public.list_published_quests(p_sort => 'trending', p_limit => 50, p_cursor => (select cursor from bench.deep_page));",
      against: 'page 1',
      baseline: "select * from public.list_published_quests(p_sort => 'trending', p_limit => 50);",
      kind: 'read',
      floor: 1.5,
      aim: 1.1,
    },
  ];
}

/** How many quests precede the deep page. */
export const deep = (size: Size): number => Math.floor(SIZES[size].campaigns * 0.9);

/** The requests of the admin's pages, by name. */
export const REPORTS = {
  'get_platform_stats(7)': 'select public.get_platform_stats(7)',
  'get_platform_stats(30)': 'select public.get_platform_stats(30)',
  'get_platform_stats(90)': 'select public.get_platform_stats(90)',
  get_points_transfer_stats: 'select public.get_points_transfer_stats()',
  get_admin_referral_stats: 'select public.get_admin_referral_stats()',
  get_referral_system_health: 'select * from public.get_referral_system_health()',
  get_admin_todo: 'select public.get_admin_todo()',
  get_recent_activity: 'select * from public.get_recent_activity()',
  'admin_list_users, search': "select * from public.admin_list_users('member777')",
  admin_list_submissions: 'select * from public.admin_list_submissions()',
  'admin_list_submissions, search': "select * from public.admin_list_submissions('member777')",
  'admin_list_submissions, search without result':
    "select * from public.admin_list_submissions('nobody has this name')",
  'site figures, counted anew': 'select private.count_site_stats()',
};
