import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { fetchAllById, maxPageSize, sortByTime } from '@/lib/paging';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import { adminKeys } from '../keys';
import { type ListFilters, listArguments, pagedList, refreshSeconds } from '../list/paged-list';

type FeedbackRow = Database['public']['Functions']['admin_list_feedback']['Returns'][number];

export type Feedback = Omit<FeedbackRow, 'cursor'>;

const statsSchema = z.object({
  total: z.number(),
  average_rating: z.number(),
  by_type: z.object({ bug: z.number(), feature: z.number() }),
});

export const adminFeedbackQueries = {
  /** Feedback by time; search in title, text and address; `type` null for all (ADMIN-05). */
  list: (filters: ListFilters, type: string | null) =>
    pagedList<FeedbackRow>('feedback', { ...filters, type }, (cursor, signal) =>
      unwrap(
        supabase()
          .rpc('admin_list_feedback', { ...listArguments(filters, cursor), p_type: type ?? undefined }, { get: true })
          .abortSignal(signal),
      ),
    ),

  /** Number, average rating and numbers by type (DB-16). */
  stats: () =>
    queryOptions({
      queryKey: adminKeys.stats('feedback'),
      queryFn: async ({ signal }) =>
        statsSchema.parse(
          await unwrap(supabase().rpc('get_beta_feedback_stats', {}, { get: true }).abortSignal(signal)),
        ),
      ...poll(refreshSeconds),
    }),
};

/** All feedback, newest first, for the export. */
export async function fetchAllFeedback(onRows: (count: number) => void): Promise<Tables<'beta_feedback'>[]> {
  const rows = await fetchAllById<Tables<'beta_feedback'>>((last) => {
    const page = supabase().from('beta_feedback').select();
    return unwrap((last ? page.gt('id', last.id) : page).order('id').limit(maxPageSize));
  }, onRows);
  return sortByTime(rows, (row) => row.created_at, 'newest');
}
