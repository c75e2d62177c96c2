import { queryOptions } from '@tanstack/react-query';
import type { Reward } from '@/features/rewards';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import { adminKeys } from '../keys';
import { refreshSeconds } from '../list/paged-list';

export const adminRewardQueries = {
  /** Every reward, including inactive ones, in an order that edits do not change. */
  all: () =>
    queryOptions({
      queryKey: adminKeys.rewards,
      queryFn: ({ signal }): Promise<Reward[]> =>
        unwrap(supabase().from('rewards').select().order('created_at').order('id').limit(1000).abortSignal(signal)),
      ...poll(refreshSeconds),
    }),
};
