import { queryOptions } from '@tanstack/react-query';
import { questQueries } from '@/features/quests';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';

/** Figures of the whole site: members with the settings' base, published quests, verified projects, points earned. */
export type SiteStats = Database['public']['Functions']['get_site_stats']['Returns'][number];

const keys = {
  all: ['home'] as const,
  siteStats: ['home', 'site-stats'] as const,
};

/** Quests that home shows at most (HOME-04). */
const liveQuestLimit = 3;

export const homeQueries = {
  keys,

  /** Quests that can be joined now. The server filters out full ones before it applies the limit (C-60). */
  liveQuests: () => questQueries.list({ limit: liveQuestLimit, view: 'open' }),

  /** The site's figures, polled every 30 s (HOME-01); by GET, so that caches can respond. Null: the server has none. */
  siteStats: () =>
    queryOptions({
      queryKey: keys.siteStats,
      queryFn: async ({ signal }): Promise<SiteStats | null> => {
        const [row] = await unwrap(supabase().rpc('get_site_stats', undefined, { get: true }).abortSignal(signal));
        return row ?? null;
      },
      ...poll(30),
    }),
};
