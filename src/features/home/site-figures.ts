import type { AppSettings } from '@/features/settings';
import type { SiteStats } from './queries';

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
