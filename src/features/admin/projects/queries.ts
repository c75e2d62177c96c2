import { queryOptions } from '@tanstack/react-query';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { adminKeys } from '../keys';
import { type ListFilters, listArguments, pagedList, refreshSeconds } from '../list/paged-list';

/** A project with its owner's address, as admins see it. */
export type AdminProject = Database['public']['Functions']['admin_list_startups']['Returns'][number];

type ProjectQuest = Database['public']['Functions']['admin_list_campaigns']['Returns'][number];
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
      queryFn: ({ signal }): Promise<ProjectQuest[]> =>
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
