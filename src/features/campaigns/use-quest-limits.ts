import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { settingsQueries } from '@/features/settings';
import { startupQueries } from '@/features/startups';
import { campaignQueries } from './queries';
import { type QuestLimits, trialLimits } from './quest-budget';

/**
 * What a project may still create: the points left and whether one more quest is allowed. While beta is on, the trial's
 * terms bind everyone; after it a subscription lifts them (C-22). Until it is known the trial is assumed.
 */
export function useQuestLimits(startupId: string): { limits: QuestLimits; questLimit: number | null; quests: number } {
  const settings = useQuery(settingsQueries.app()).data;
  const subscription = useQuery(startupQueries.subscription(startupId)).data;
  const campaigns = useQuery(campaignQueries.byStartup(startupId)).data;
  const isLifted = settings?.beta_mode === false && Boolean(subscription);
  const trialPoints = settings?.trial_budget_points ?? trialLimits.budgetPoints;
  const usedPoints = campaigns?.reduce((sum, campaign) => sum + campaign.budget_points, 0) ?? 0;

  return {
    limits: useMemo(
      () => ({ budgetPoints: isLifted ? null : trialPoints, usedPoints }),
      [isLifted, trialPoints, usedPoints],
    ),
    questLimit: isLifted ? null : (settings?.trial_quest_limit ?? 1),
    quests: campaigns?.length ?? 0,
  };
}
