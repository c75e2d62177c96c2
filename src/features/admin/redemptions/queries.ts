import { queryOptions } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { adminKey } from '../keys';
import { type ListFilters, listArguments, pagedList } from '../list';

export type AdminRedemption = Database['public']['Functions']['admin_list_redemptions']['Returns'][number];

/** Points of a redemption by where they came from; `points` of all rows add up to its cost. */
export type RedemptionSource = Database['public']['Functions']['get_redemption_sources']['Returns'][number];

export const adminRedemptionQueries = {
  /** Where a redemption's points came from (TRUST-17). */
  sources: (redemptionId: string) =>
    queryOptions({
      queryKey: adminKey('redemptions', 'sources', redemptionId),
      queryFn: ({ signal }): Promise<RedemptionSource[]> =>
        unwrap(
          supabase()
            .rpc('get_redemption_sources', { p_redemption_id: redemptionId }, { get: true })
            .abortSignal(signal),
        ),
    }),

  /** Pending ones first, the longest waiting on top, then the handled ones, newest first (C-50). */
  list: (filters: ListFilters) =>
    pagedList<AdminRedemption>(
      'redemptions',
      filters,
      (cursor, signal) => {
        const { p_sort: _, ...args } = listArguments(filters, cursor);
        return unwrap(supabase().rpc('admin_list_redemptions', args, { get: true }).abortSignal(signal));
      },
      ({ cursor }) => cursor,
    ),
};
