import type { Quest } from '@/features/quests';
import type { Startup } from '@/features/startups';
import { questTotal } from './quest-budget';
import { type QuestFormValues, rewardParts } from './quest-form';
import { questSummary } from './quest-payload';

/** The quest that the form would create, as the quest card takes it. `now` as an ISO time. */
export function previewQuest(values: QuestFormValues, startup: Startup, now: string): Quest {
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  return {
    id: 'preview',
    title: values.title.trim() || 'Your quest',
    summary: questSummary(values.description),
    budget_points: questTotal(values),
    collect_emails: values.collectEmail,
    custom_reward_title: enableCustomReward ? values.customRewardTitle.trim() || 'Custom reward' : null,
    custom_reward_description: enableCustomReward ? values.customRewardDescription.trim() : null,
    task_count: 1,
    average_reward: enablePoints ? values.rewardAmount : 0,
    created_at: now,
    published_at: now,
    startup_id: startup.id,
    startup_name: startup.name,
    startup_logo_url: startup.logo_url,
    startup_verified: startup.status === 'verified',
    cursor: '',
  };
}
