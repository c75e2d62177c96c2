import { supabase, unwrap } from '@/lib/supabase';
import type { QuestFilters, QuestListItem, TaskCounts } from './quest';

/** Fallbacks for the quest procedures that read tables, for a database without the procedures (DB-28). */

const columns =
  'id, startup_id, title, summary, custom_reward_title, custom_reward_description, collect_emails, open_reward_points, budget_points, task_count, total_slots, open_slots, is_full, published_at, created_at, ends_at, review_hours, median_minutes, startup_profiles(name, logo_url, status)';

const orders = {
  new: ['created_at'],
  match: ['created_at'],
  reward: ['open_reward_points', 'budget_points', 'published_at'],
  trending: ['published_at'],
} as const;

/** Escapes a search for PostgREST's `or` and for ILIKE. */
function pattern(search: string): string {
  const literal = search.trim().replace(/[\\%_]/g, '\\$&');
  return `"%${literal.replace(/["\\]/g, '\\$&')}%"`;
}

/** Filter for quests that have started and not ended (BEY-07), as a PostgREST `or`. */
export function scheduleFilters(): { hasStarted: string; hasNotEnded: string } {
  const now = new Date().toISOString();
  return {
    hasStarted: `starts_at.is.null,starts_at.lte."${now}"`,
    hasNotEnded: `ends_at.is.null,ends_at.gt."${now}"`,
  };
}

export async function listFromTables(filters: QuestFilters, signal: AbortSignal): Promise<QuestListItem[]> {
  const { search, sort = 'new', limit = 10, view = 'all', projectId } = filters;
  let query = supabase().from('campaigns').select(columns).eq('status', 'published');
  const { hasStarted, hasNotEnded } = scheduleFilters();
  query = query.or(hasStarted).or(hasNotEnded);
  if (search?.trim()) query = query.or(`title.ilike.${pattern(search)},summary.ilike.${pattern(search)}`);
  if (view !== 'all') query = query.eq('is_full', view === 'full');
  if (projectId) query = query.eq('startup_id', projectId);
  for (const column of orders[sort]) query = query.order(column, { ascending: false });
  const rows = await unwrap(query.order('id', { ascending: false }).limit(limit).abortSignal(signal));
  return rows.map(({ startup_profiles: project, open_reward_points, open_slots, is_full, published_at, ...quest }) => ({
    ...quest,
    reward_points: open_reward_points,
    open_slots: Math.max(open_slots ?? 0, 0),
    is_full: is_full === true,
    published_at: published_at ?? quest.created_at,
    startup_name: project?.name ?? '',
    startup_logo_url: project?.logo_url ?? null,
    startup_verified: project?.status === 'verified',
    reserved_points: 0,
    decided: null,
    accepted: null,
    overturned: null,
    median_seconds: null,
  }));
}

export async function taskCountsFromTables(
  taskIds: string[],
  signal: AbortSignal,
): Promise<Record<string, TaskCounts>> {
  const rows = await unwrap(
    supabase()
      .from('tasks')
      .select('id, approved_count, pending_count, kept_count')
      .in('id', taskIds)
      .abortSignal(signal),
  );
  return Object.fromEntries(rows.map(({ id, ...counts }) => [id, counts]));
}
