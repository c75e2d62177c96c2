import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { pageArguments, pagedList } from '../list/paged-list';

export type OutboxEvent = Database['public']['Functions']['admin_list_outbox']['Returns'][number];

export const mailQueries = {
  /** Outbox events, newest first; state failed (given up), waiting, done, or null for all. */
  list: (state: string | null) =>
    pagedList<OutboxEvent>('mail', { state }, (cursor, signal) => {
      const args = { p_state: state ?? undefined, ...pageArguments(cursor) };
      return unwrap(supabase().rpc('admin_list_outbox', args, { get: true }).abortSignal(signal));
    }),
};
