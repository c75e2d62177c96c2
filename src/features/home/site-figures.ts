import type { AppSettings } from '@/features/settings';
import type { SiteStats } from './queries';

type Floors = Pick<AppSettings, 'member_floor' | 'quest_floor' | 'points_floor'>;

/** The least that is shown until the settings say otherwise (HOME-09). */
const defaultFloors: Floors = { member_floor: 47, quest_floor: 3, points_floor: 12_700 };

export type SiteFigures = { members: number; quests: number; points: number };

/** The figures to show: never below their floors, also while the statistics are missing (HOME-09, HOME-10, C-26). */
export function siteFigures(stats: SiteStats | null | undefined, floors: Floors = defaultFloors): SiteFigures {
  return {
    members: Math.max(stats?.total_members ?? 0, floors.member_floor),
    quests: Math.max(stats?.active_campaigns ?? 0, floors.quest_floor),
    points: Math.max(stats?.total_rewards_paid ?? 0, floors.points_floor),
  };
}
