import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { type ListFilters, listArguments, pagedList } from '../list/paged-list';

/** A quest of any status with its project and counters. */
export type AdminQuest = Database['public']['Functions']['admin_list_campaigns']['Returns'][number];

export const adminQuestQueries = {
  /** Quests by creation; search in titles; status draft, published, closed or held (ADMIN-04). */
  list: (filters: ListFilters) =>
    pagedList<AdminQuest>('quests', filters, (cursor, signal) =>
      unwrap(supabase().rpc('admin_list_campaigns', listArguments(filters, cursor), { get: true }).abortSignal(signal)),
    ),
};
