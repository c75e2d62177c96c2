import type { Campaign } from '@/features/campaigns';
import type { Quest, QuestSlots } from '@/features/quests';
import type { Startup } from './queries';

/** The project's live quests, as its page and the quest card show them (PROJ-02). */
export function activeQuests(startup: Startup, campaigns: readonly Campaign[]): { quest: Quest; slots: QuestSlots }[] {
  return campaigns
    .filter((campaign) => campaign.status === 'published')
    .map((campaign) => ({ quest: questOf(startup, campaign), slots: slotsOf(campaign) }));
}

function questOf(startup: Startup, campaign: Campaign): Quest {
  return {
    id: campaign.id,
    title: campaign.title,
    summary: campaign.summary,
    budget_points: campaign.budget_points,
    collect_emails: campaign.collect_emails,
    custom_reward_title: campaign.custom_reward_title,
    custom_reward_description: campaign.custom_reward_description,
    task_count: campaign.task_count,
    average_reward: campaign.task_count > 0 ? campaign.task_reward_sum / campaign.task_count : null,
    created_at: campaign.created_at,
    published_at: campaign.published_at ?? campaign.created_at,
    startup_id: startup.id,
    startup_name: startup.name,
    startup_logo_url: startup.logo_url,
    startup_verified: startup.status === 'verified',
    cursor: '',
  };
}

function slotsOf(campaign: Campaign): QuestSlots {
  const available = Math.max(campaign.open_slots ?? 0, 0);
  return {
    total_slots: campaign.total_slots,
    available_slots: available,
    completed_slots: campaign.approved_count,
    is_quest_full: available === 0,
  };
}

/** What members can earn in all live quests together, in points (PROJ-03). */
export function totalPoints(quests: readonly { quest: Pick<Quest, 'budget_points'> }[]): number {
  return quests.reduce((sum, { quest }) => sum + quest.budget_points, 0);
}
