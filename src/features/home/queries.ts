import { queryOptions } from '@tanstack/react-query';
import { questQueries } from '@/features/quests';
import type { AppSettings } from '@/features/settings';
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

type Floors = Pick<AppSettings, 'member_floor' | 'quest_floor' | 'points_floor'>;

/** Minimums shown until the settings have loaded (HOME-09). */
const defaultFloors: Floors = { member_floor: 47, quest_floor: 3, points_floor: 12_700 };

/** A figure to show; `isFloor`: the minimum, in place of a missing or zero figure. */
type SiteFigure = { value: number; isFloor: boolean };

const figure = (value: number | undefined, floor: number): SiteFigure =>
  value ? { value, isFloor: false } : { value: floor, isFloor: true };

/**
 * The figures to show. A minimum replaces a figure that is missing or zero, and no other, so that home agrees with the
 * hub (HOME-09, HOME-10, C-26, C-83, C-112).
 */
export function siteFigures(
  stats: SiteStats | null | undefined,
  floors: Floors = defaultFloors,
): Record<'members' | 'quests' | 'points', SiteFigure> {
  return {
    members: figure(stats?.total_members, floors.member_floor),
    quests: figure(stats?.active_campaigns, floors.quest_floor),
    points: figure(stats?.total_rewards_paid, floors.points_floor),
  };
}
