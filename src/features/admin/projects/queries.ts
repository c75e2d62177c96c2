import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { type ListFilters, listArguments, pagedList } from '../list';

/** A project with its owner's address, as admins see it. */
export type AdminProject = Database['public']['Functions']['admin_list_startups']['Returns'][number];

export const projectQueries = {
  /** Projects by creation; search in name and owner's address (ADMIN-03). */
  list: (filters: ListFilters) =>
    pagedList<AdminProject>('projects', filters, (cursor, signal) =>
      unwrap(supabase().rpc('admin_list_startups', listArguments(filters, cursor), { get: true }).abortSignal(signal)),
    ),
};
