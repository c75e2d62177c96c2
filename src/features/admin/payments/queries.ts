import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { type ListFilters, pageArguments, pagedList } from '../list/paged-list';

export type ReturnedPayment = Database['public']['Functions']['admin_list_returned_payments']['Returns'][number];

export const paymentQueries = {
  /** Payments refunded or disputed after some of their points were spent, newest first (BEY-20). */
  returned: ({ status }: Pick<ListFilters, 'status'>) =>
    pagedList<ReturnedPayment>('returned-payments', { status }, (cursor, signal) => {
      const args = { p_state: status ?? undefined, ...pageArguments(cursor) };
      return unwrap(supabase().rpc('admin_list_returned_payments', args, { get: true }).abortSignal(signal));
    }),
};
