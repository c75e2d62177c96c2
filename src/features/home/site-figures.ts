import type { AppSettings } from '@/features/settings';
import type { SiteStats } from './queries';

type Floors = Pick<AppSettings, 'member_floor' | 'quest_floor' | 'points_floor'>;

/** The least that is shown until the settings say otherwise (HOME-09). */
const defaultFloors: Floors = { member_floor: 47, quest_floor: 3, points_floor: 12_700 };

export type SiteFigures = { members: number; quests: number; points: number };

/**
 * The figures to show. A floor stands in for a figure that is missing or zero, and for no other: home says what the hub
 * lists (HOME-09, HOME-10, C-26, C-83).
 */
export function siteFigures(stats: SiteStats | null | undefined, floors: Floors = defaultFloors): SiteFigures {
  return {
    members: stats?.total_members || floors.member_floor,
    quests: stats?.active_campaigns || floors.quest_floor,
    points: stats?.total_rewards_paid || floors.points_floor,
  };
}
