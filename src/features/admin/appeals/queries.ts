import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { type ListFilters, listArguments, pagedList } from '../list';

export type AdminAppeal = Database['public']['Functions']['admin_list_appeals']['Returns'][number];

export const appealQueries = {
  /** Appeals, newest first; the open ones alone by how long they wait (BEY-04). */
  list: ({ status }: Pick<ListFilters, 'status'>) =>
    pagedList<AdminAppeal>('appeals', { status }, (cursor, signal) => {
      const { p_search: _, p_sort: __, ...args } = listArguments({ search: '', status, sort: 'newest' }, cursor);
      return unwrap(supabase().rpc('admin_list_appeals', args, { get: true }).abortSignal(signal));
    }),
};
