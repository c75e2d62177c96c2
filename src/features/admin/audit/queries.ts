import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { pageArguments, pagedList, searchArgument } from '../list/paged-list';

export type AuditEntry = Database['public']['Functions']['admin_list_audit']['Returns'][number];

export const auditQueries = {
  /** The audit log, newest first; search in the actors' names; `subject` null for all kinds (BEY-04). */
  list: (search: string, subject: string | null) =>
    pagedList<AuditEntry>('audit', { search, subject }, (cursor, signal) => {
      const args = { p_search: searchArgument(search), p_subject_type: subject ?? undefined, ...pageArguments(cursor) };
      return unwrap(supabase().rpc('admin_list_audit', args, { get: true }).abortSignal(signal));
    }),
};
