import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { type ListFilters, listArguments, pagedList } from '../list/paged-list';

export type AdminSubmission = Database['public']['Functions']['admin_list_submissions']['Returns'][number];

export const adminSubmissionQueries = {
  /** Submissions of all quests by time; search in the members' names and addresses (C-43). */
  list: (filters: ListFilters) =>
    pagedList<AdminSubmission>('submissions', filters, (cursor, signal) =>
      unwrap(
        supabase().rpc('admin_list_submissions', listArguments(filters, cursor), { get: true }).abortSignal(signal),
      ),
    ),
};
