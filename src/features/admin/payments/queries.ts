import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { type ListFilters, listArguments, pagedList } from '../list/paged-list';

export type ReturnedPayment = Database['public']['Functions']['admin_list_returned_payments']['Returns'][number];

export const paymentQueries = {
  /** Payments refunded or disputed after some of their points were spent, newest first (BEY-20). */
  returned: ({ status }: Pick<ListFilters, 'status'>) =>
    pagedList<ReturnedPayment>('returned-payments', { status }, (cursor, signal) => {
      const {
        p_search: _,
        p_sort: __,
        p_status: p_state,
        ...args
      } = listArguments({ search: '', status, sort: 'newest' }, cursor);
      return unwrap(
        supabase()
          .rpc('admin_list_returned_payments', { ...args, p_state }, { get: true })
          .abortSignal(signal),
      );
    }),
};
