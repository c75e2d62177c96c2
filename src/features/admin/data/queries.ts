import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { dayMs } from '@/lib/format';
import { fetchAllById, maxPageSize, sortByTime } from '@/lib/paging';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import { adminKeys } from '../keys';
import { refreshSeconds } from '../list/paged-list';

const daySchema = z.object({
  day: z.string(),
  new_users: z.number(),
  submissions: z.number(),
  completions: z.number(),
  points_issued: z.number(),
  points_redeemed: z.number(),
});

const statsSchema = z.object({
  period_days: z.number(),
  totals: z.object({
    users: z.number(),
    verified_startups: z.number(),
    published_campaigns: z.number(),
    points_awarded: z.number(),
    submissions: z.number(),
    completed_tasks: z.number(),
    points_distributed: z.number(),
    /** Published quests per 100 members; engagement: submissions per member (DATA-06). */
    conversion_rate: z.number(),
    engagement: z.number(),
    revenue_cents: z.number(),
  }),
  period: z.object({
    users: z.number(),
    verified_startups: z.number(),
    published_campaigns: z.number(),
    submissions: z.number(),
    completed_tasks: z.number(),
    points_awarded: z.number(),
    points_redeemed: z.number(),
    revenue_cents: z.number(),
    /** Null when no session was measured (C-52). */
    average_session_minutes: z.nullable(z.number()),
  }),
  days: z.array(daySchema),
  top_campaigns: z.array(
    z.object({
      campaign_id: z.string(),
      title: z.string(),
      startup_name: z.string(),
      approved: z.number(),
      submissions: z.number(),
      completion_rate: z.number(),
    }),
  ),
  top_industries: z.array(z.object({ industry: z.string(), startups: z.number() })),
  health: z.object({
    active_campaigns: z.number(),
    pending_reviews: z.number(),
    pending_startups: z.number(),
    verified_startups: z.number(),
    collected_emails: z.number(),
  }),
});

/** Figures of the whole product: all time (totals), the chosen days (period, days), and the current state (health). */
export type PlatformStats = z.infer<typeof statsSchema>;
export type PlatformDay = z.infer<typeof daySchema>;
export type Activity = Database['public']['Functions']['get_recent_activity']['Returns'][number];

const transfersSchema = z.object({
  total_transfers: z.number(),
  total_points: z.number(),
  by_kind: z.array(z.object({ kind: z.string(), transfers: z.number(), points: z.number() })),
  balances: z.object({ members: z.number(), startups: z.number(), reserves: z.number() }),
});
type PointTransfers = z.infer<typeof transfersSchema>;

export const platformQueries = {
  /** Point transfers by kind, and current balances (DB-26, C-108). By POST, because it rolls up the ledger first. */
  transfers: () =>
    queryOptions({
      queryKey: adminKeys.transfers,
      queryFn: async ({ signal }): Promise<PointTransfers> =>
        transfersSchema.parse(await unwrap(supabase().rpc('get_points_transfer_stats').abortSignal(signal))),
      ...poll(refreshSeconds),
    }),

  /** The figures of the last `days` UTC days, today included. */
  stats: (days: number) =>
    queryOptions({
      queryKey: adminKeys.platformStats(days),
      queryFn: async ({ signal }): Promise<PlatformStats> =>
        statsSchema.parse(
          await unwrap(supabase().rpc('get_platform_stats', { p_days: days }, { get: true }).abortSignal(signal)),
        ),
      placeholderData: keepPreviousData,
      ...poll(refreshSeconds),
    }),

  /** The latest 3 projects, 3 quests and 4 submissions of those days, newest first (ADMIN-02, DATA-04). */
  activity: (days: number) =>
    queryOptions({
      queryKey: adminKeys.activity(days),
      queryFn: ({ signal }): Promise<Activity[]> =>
        unwrap(supabase().rpc('get_recent_activity', { p_days: days }, { get: true }).abortSignal(signal)),
      placeholderData: keepPreviousData,
      ...poll(refreshSeconds),
    }),
};

type OnRows = (count: number) => void;

const createdAt = ({ created_at: at }: { created_at: string }) => at;

export type ExportedUser = Pick<
  Tables<'user_profiles'>,
  'id' | 'user_id' | 'username' | 'display_name' | 'email' | 'role' | 'og_badge' | 'suspended_at' | 'created_at'
>;

/** Members who joined since then, oldest first. */
export async function fetchUsers(since: string, onRows: OnRows): Promise<ExportedUser[]> {
  const rows = await fetchAllById<ExportedUser>((last) => {
    const page = supabase()
      .from('user_profiles')
      .select('id, user_id, username, display_name, email, role, og_badge, suspended_at, created_at')
      .gte('created_at', since);
    return unwrap((last ? page.gt('id', last.id) : page).order('id').limit(maxPageSize));
  }, onRows);
  return sortByTime(rows, createdAt);
}

export type ExportedQuest = Tables<'campaigns'> & { startup_profiles: { name: string } };

/** Quests created since then, oldest first, with their project's name. */
export async function fetchQuests(since: string, onRows: OnRows): Promise<ExportedQuest[]> {
  const rows = await fetchAllById<ExportedQuest>((last) => {
    const page = supabase().from('campaigns').select('*, startup_profiles(name)').gte('created_at', since);
    return unwrap((last ? page.gt('id', last.id) : page).order('id').limit(maxPageSize));
  }, onRows);
  return sortByTime(rows, createdAt);
}

type ListedProject = Database['public']['Functions']['admin_list_startups']['Returns'][number];

type ExportedProject = Pick<ListedProject, 'id' | 'name' | 'industry' | 'status' | 'owner_user_id' | 'created_at'>;

/** Maximum page size of the admin list procedures. */
const listPageSize = 100;

/** Projects created since then, oldest first, through the admin procedure, the only one that returns owners. */
export async function fetchProjects(since: string, onRows: OnRows): Promise<ExportedProject[]> {
  const rows: ListedProject[] = [];
  for (;;) {
    const args = { p_sort: 'newest', p_limit: listPageSize, p_cursor: rows.at(-1)?.cursor };
    const page = await unwrap(supabase().rpc('admin_list_startups', args, { get: true }));
    const fresh = page.filter((row) => Date.parse(row.created_at) >= Date.parse(since));
    rows.push(...fresh);
    onRows(rows.length);
    if (page.length < listPageSize || fresh.length < page.length) return rows.reverse();
  }
}

type ExportedSubmission = Pick<
  Tables<'submissions'>,
  'id' | 'user_id' | 'status' | 'reward_points' | 'submitted_at'
> & {
  tasks: { title: string };
};

/** Submissions since then, fetched day by day: the BRIN index finds a day quickly, and sorting a day is cheap. */
export async function fetchSubmissions(since: string, onRows: OnRows): Promise<ExportedSubmission[]> {
  const rows: ExportedSubmission[] = [];
  for (let day = new Date(since).getTime(); day <= Date.now(); day += dayMs) {
    const [from, to] = [new Date(day).toISOString(), new Date(day + dayMs).toISOString()];
    const ofDay = await fetchAllById<ExportedSubmission>(
      (last) => {
        const page = supabase()
          .from('submissions')
          .select('id, user_id, status, reward_points, submitted_at, tasks(title)')
          .gte('submitted_at', from)
          .lt('submitted_at', to);
        return unwrap((last ? page.gt('id', last.id) : page).order('id').limit(maxPageSize));
      },
      (count) => onRows(rows.length + count),
    );
    rows.push(...sortByTime(ofDay, (row) => row.submitted_at));
  }
  return rows;
}
