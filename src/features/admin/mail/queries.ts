import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { pagedList, pageSize } from '../list/paged-list';

export type OutboxEvent = Database['public']['Functions']['admin_list_outbox']['Returns'][number];

export const mailQueries = {
  /** Outbox events, newest first; state failed (given up), waiting, done, or null for all. */
  list: (state: string | null) =>
    pagedList<OutboxEvent>('mail', { state }, (cursor, signal) =>
      unwrap(
        supabase()
          .rpc(
            'admin_list_outbox',
            {
              p_state: state ?? undefined,
              p_limit: pageSize,
              p_cursor: cursor ?? undefined,
            },
            { get: true },
          )
          .abortSignal(signal),
      ),
    ),
};
