import { queryOptions } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { adminKeys } from '../keys';
import { type ListFilters, pageArguments, pagedList } from '../list/paged-list';

export type AdminAppeal = Database['public']['Functions']['admin_list_appeals']['Returns'][number];

export const appealQueries = {
  /** How appeals of the last 90 days were decided (BEY-23). */
  figures: () =>
    queryOptions({
      queryKey: adminKeys.stats('appeals'),
      queryFn: ({ signal }) =>
        unwrap(supabase().rpc('get_appeal_figures', {}, { get: true }).abortSignal(signal).single()),
    }),

  /** Appeals, newest first; open ones by due time (BEY-04, BEY-23). */
  list: ({ status }: Pick<ListFilters, 'status'>) =>
    pagedList<AdminAppeal>('appeals', { status }, (cursor, signal) => {
      const args = { p_status: status ?? undefined, ...pageArguments(cursor) };
      return unwrap(supabase().rpc('admin_list_appeals', args, { get: true }).abortSignal(signal));
    }),
};
