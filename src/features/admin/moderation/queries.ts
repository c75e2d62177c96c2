import { queryOptions } from '@tanstack/react-query';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { adminKeys } from '../keys';
import { type ListFilters, listArguments, pageArguments, pagedList, refreshSeconds } from '../list/paged-list';

/** A project with its owner's address, as admins see it. */
export type AdminProject = Database['public']['Functions']['admin_list_startups']['Returns'][number];

/** A quest of any status with its project and counters. */
export type AdminQuest = Database['public']['Functions']['admin_list_campaigns']['Returns'][number];

/** A decision on a project, or on an earlier one of the same person. */
export type ProjectDecision = Database['public']['Functions']['get_project_history']['Returns'][number];

/** Number of quests in the dialog of a project; the quests tab has them all. */
export const shownQuests = 20;

export const projectQueries = {
  /** Projects by creation; search in name and owner's address; status 'changed' for new names and websites (ADMIN-03, C-96). */
  list: (filters: ListFilters) =>
    pagedList<AdminProject>('projects', filters, (cursor, signal) =>
      unwrap(supabase().rpc('admin_list_startups', listArguments(filters, cursor), { get: true }).abortSignal(signal)),
    ),

  /** One project, null when it has been deleted. */
  detail: (id: string) =>
    queryOptions({
      queryKey: adminKeys.project(id),
      queryFn: ({ signal }): Promise<AdminProject | null> =>
        unwrap(
          supabase().rpc('admin_list_startups', { p_startup_id: id }, { get: true }).abortSignal(signal).maybeSingle(),
        ),
      ...poll(refreshSeconds),
    }),

  /** A project's latest quests, whatever their status. */
  quests: (id: string) =>
    queryOptions({
      queryKey: adminKeys.projectQuests(id),
      queryFn: ({ signal }): Promise<AdminQuest[]> =>
        unwrap(
          supabase()
            .rpc('admin_list_campaigns', { p_startup_id: id, p_limit: shownQuests }, { get: true })
            .abortSignal(signal),
        ),
      ...poll(refreshSeconds),
    }),

  /** Decisions on a project, newest first (C-91, C-97). */
  history: (id: string) =>
    queryOptions({
      queryKey: adminKeys.projectHistory(id),
      queryFn: ({ signal }): Promise<ProjectDecision[]> =>
        unwrap(supabase().rpc('get_project_history', { p_startup_id: id }, { get: true }).abortSignal(signal)),
      ...poll(refreshSeconds),
    }),
};

export const adminQuestQueries = {
  /** Quests by creation; search in titles; status draft, published, closed or held (ADMIN-04). */
  list: (filters: ListFilters) =>
    pagedList<AdminQuest>('quests', filters, (cursor, signal) =>
      unwrap(supabase().rpc('admin_list_campaigns', listArguments(filters, cursor), { get: true }).abortSignal(signal)),
    ),
};

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

export type AdminAppeal = Database['public']['Functions']['admin_list_appeals']['Returns'][number];

export const appealQueries = {
  /** How appeals of the last 90 days were decided (BEY-23). */
  figures: () =>
    queryOptions({
      queryKey: adminKeys.stats('appeals'),
      queryFn: ({ signal }) =>
        unwrap(supabase().rpc('get_appeal_figures', {}, { get: true }).abortSignal(signal).single()),
    }),

  /** Appeals, newest first; open ones by due time (BEY-04, BEY-23). */
  list: ({ status }: Pick<ListFilters, 'status'>) =>
    pagedList<AdminAppeal>('appeals', { status }, (cursor, signal) => {
      const args = { p_status: status ?? undefined, ...pageArguments(cursor) };
      return unwrap(supabase().rpc('admin_list_appeals', args, { get: true }).abortSignal(signal));
    }),
};
