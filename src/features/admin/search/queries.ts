import { queryOptions } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { adminKeys } from '../keys';

export type Finding = Database['public']['Functions']['admin_search']['Returns'][number];

/** People, projects, quests and redemptions that match, five of each at most, or the one with that id. */
export const searchQuery = (search: string) =>
  queryOptions({
    queryKey: adminKeys.search(search),
    queryFn: ({ signal }): Promise<Finding[]> =>
      unwrap(supabase().rpc('admin_search', { p_search: search }, { get: true }).abortSignal(signal)),
    enabled: search !== '',
  });
