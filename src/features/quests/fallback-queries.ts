import { supabase, unwrap } from '@/lib/supabase';
import type { QuestFilters, QuestListItem, SlotsById, TaskCounts } from './quest';

/**
 * The same answers out of the tables, for a database that has the tables but not yet the procedures (DB-28). Row level
 * security shows a visitor the same rows; only speed, caching and further pages are lost.
 */

const columns =
  'id, startup_id, title, summary, budget_points, custom_reward_title, custom_reward_description, collect_emails, published_at, created_at, task_count, task_reward_sum, startup_profiles(name, logo_url, status)';

const orders = { new: 'created_at', reward: 'budget_points', trending: 'published_at' } as const;

/** Makes a search a literal inside PostgREST's `or` and ILIKE. */
function pattern(search: string): string {
  const literal = search.trim().replace(/[\\%_]/g, '\\$&');
  return `"%${literal.replace(/["\\]/g, '\\$&')}%"`;
}

export async function listFromTables(filters: QuestFilters, signal: AbortSignal): Promise<QuestListItem[]> {
  const { search, sort = 'new', limit = 10, isOnlyOpen } = filters;
  let query = supabase().from('campaigns').select(columns).eq('status', 'published');
  if (search?.trim()) query = query.or(`title.ilike.${pattern(search)},summary.ilike.${pattern(search)}`);
  if (isOnlyOpen) query = query.gt('open_slots', 0);
  const rows = await unwrap(
    query.order(orders[sort], { ascending: false }).order('id').limit(limit).abortSignal(signal),
  );
  return rows.map(({ startup_profiles: project, task_reward_sum, published_at, ...quest }) => ({
    ...quest,
    published_at: published_at ?? quest.created_at,
    startup_name: project?.name ?? '',
    startup_logo_url: project?.logo_url ?? null,
    startup_verified: project?.status === 'verified',
    average_reward: quest.task_count > 0 ? task_reward_sum / quest.task_count : null,
    cursor: '',
  }));
}

export async function slotsFromTables(questIds: string[], signal: AbortSignal): Promise<SlotsById> {
  const rows = await unwrap(
    supabase()
      .from('campaigns')
      .select('id, total_slots, open_slots, approved_count')
      .in('id', questIds)
      .abortSignal(signal),
  );
  return Object.fromEntries(
    rows.map(({ id, total_slots, open_slots, approved_count }) => {
      const available_slots = Math.max(open_slots ?? 0, 0);
      return [
        id,
        { total_slots, available_slots, completed_slots: approved_count, is_quest_full: available_slots === 0 },
      ];
    }),
  );
}

export async function taskCountsFromTables(
  taskIds: string[],
  signal: AbortSignal,
): Promise<Record<string, TaskCounts>> {
  const rows = await unwrap(
    supabase().from('tasks').select('id, approved_count, pending_count').in('id', taskIds).abortSignal(signal),
  );
  return Object.fromEntries(rows.map(({ id, ...counts }) => [id, counts]));
}
