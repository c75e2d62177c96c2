import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import { adminKeys } from './keys';
import { pageArguments, pagedList, refreshSeconds, searchArgument } from './list/paged-list';

const todoSchema = z.object({
  pending_startups: z.number(),
  pending_submissions: z.number(),
  pending_redemptions: z.number(),
  new_feedback: z.number(),
  held_campaigns: z.number(),
  failed_mails: z.number(),
  changed_startups: z.number(),
  open_appeals: z.number(),
  overdue_reviews: z.number(),
  returned_payments: z.number(),
});

/** Pending items for an admin, by kind. */
export type PendingCounts = z.infer<typeof todoSchema>;

export const adminQueries = {
  /** Pending work for admins. Refused to everyone else, so it also serves as the admin check. */
  todo: () =>
    queryOptions({
      queryKey: adminKeys.todo,
      queryFn: async ({ signal }): Promise<PendingCounts> =>
        todoSchema.parse(await unwrap(supabase().rpc('get_admin_todo', {}, { get: true }).abortSignal(signal))),
      ...poll(refreshSeconds),
    }),
};

export type Finding = Database['public']['Functions']['admin_search']['Returns'][number];

/** People, projects, quests and redemptions that match, five of each at most, or the one with that id. */
export const searchQuery = (search: string) =>
  queryOptions({
    queryKey: adminKeys.search(search),
    queryFn: ({ signal }): Promise<Finding[]> =>
      unwrap(supabase().rpc('admin_search', { p_search: search }, { get: true }).abortSignal(signal)),
    enabled: search !== '',
  });

export type AuditEntry = Database['public']['Functions']['admin_list_audit']['Returns'][number];

/** What an entry is about: its kind and its id, as the audit log stores them. */
export type AuditSubject = {
  type: 'startup' | 'submission' | 'redemption' | 'appeal' | 'payment' | 'transfer';
  id: string;
};

type LatestAuditEntry = Pick<Tables<'audit_log'>, 'action' | 'actor_id' | 'note' | 'created_at'> & {
  actor_name: string | null;
};

export const auditQueries = {
  /** The last entry about a subject with its actor's username, null when there is none. */
  latest: ({ type, id }: AuditSubject) =>
    queryOptions({
      queryKey: adminKeys.latestAudit(type, id),
      queryFn: async ({ signal }): Promise<LatestAuditEntry | null> => {
        const entries = supabase().from('audit_log').select('action, actor_id, note, created_at');
        const about = entries.eq('subject_type', type).eq('subject_id', id);
        const entry = await unwrap(about.order('id', { ascending: false }).limit(1).abortSignal(signal).maybeSingle());
        if (!entry) return null;
        const people = supabase().from('user_profiles').select('username').eq('user_id', entry.actor_id);
        const actor = await unwrap(people.abortSignal(signal).maybeSingle());
        return { ...entry, actor_name: actor?.username ?? null };
      },
      // Whoever is late a second time must not be shown what was decided the first time.
      gcTime: 0,
    }),
  /** The audit log, newest first; `subject` null for all kinds (BEY-04). */
  list: (search: string, subject: string | null) =>
    pagedList<AuditEntry>('audit', { search, subject }, (cursor, signal) => {
      const args = { p_search: searchArgument(search), p_subject_type: subject ?? undefined, ...pageArguments(cursor) };
      return unwrap(supabase().rpc('admin_list_audit', args, { get: true }).abortSignal(signal));
    }),
};
