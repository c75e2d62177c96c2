import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { pagedList, pageSize } from '../list/paged-list';

export type AuditEntry = Database['public']['Functions']['admin_list_audit']['Returns'][number];

export const auditQueries = {
  /** The audit log, newest first; search in the actors' names; `subject` null for all kinds (BEY-04). */
  list: (search: string, subject: string | null) =>
    pagedList<AuditEntry>('audit', { search, subject }, (cursor, signal) =>
      unwrap(
        supabase()
          .rpc(
            'admin_list_audit',
            {
              p_search: search.trim().slice(0, 100) || undefined,
              p_subject_type: subject ?? undefined,
              p_limit: pageSize,
              p_cursor: cursor ?? undefined,
            },
            { get: true },
          )
          .abortSignal(signal),
      ),
    ),
};
