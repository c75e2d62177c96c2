import { useQuery } from '@tanstack/react-query';
import { settingsQueries } from '@/features/settings';

export type RewardFeatures = { isPending: boolean; isRewardListOn: boolean; isLeaderboardOn: boolean };

/**
 * The feature checks of this page: nothing is loaded before they have passed (REWARD-05). When the settings cannot be
 * read the features count as on, which is their default (C-45).
 */
export function useRewardFeatures(): RewardFeatures {
  const settings = useQuery(settingsQueries.app());
  return {
    isPending: settings.isPending,
    isRewardListOn: settings.data?.rewards_enabled ?? settings.isError,
    isLeaderboardOn: settings.data?.leaderboard_enabled ?? settings.isError,
  };
}
