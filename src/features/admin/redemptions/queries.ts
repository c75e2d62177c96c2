import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { type ListFilters, listArguments, pagedList } from '../list';

export type AdminRedemption = Database['public']['Functions']['admin_list_redemptions']['Returns'][number];

export const adminRedemptionQueries = {
  /** Pending ones first, the longest waiting on top, then the handled ones, newest first (C-50). */
  list: (filters: ListFilters) =>
    pagedList<AdminRedemption>('redemptions', filters, (cursor, signal) => {
      const { p_sort: _, ...args } = listArguments(filters, cursor);
      return unwrap(supabase().rpc('admin_list_redemptions', args, { get: true }).abortSignal(signal));
    }),
};
