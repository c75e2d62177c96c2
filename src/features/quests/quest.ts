import type { Database } from '@/types/database';

type Row = Database['public']['Functions']['list_published_quests']['Returns'][number];

/** A published quest as lists show it. The generated type knows no nulls in a procedure's columns, so they are said here. */
export type QuestListItem = Omit<
  Row,
  'startup_logo_url' | 'custom_reward_title' | 'custom_reward_description' | 'average_reward'
> & {
  startup_logo_url: string | null;
  custom_reward_title: string | null;
  custom_reward_description: string | null;
  /** Mean reward of its tasks in points; null without tasks. */
  average_reward: number | null;
};

/** Slots of a quest (DB-22). Pending submissions hold theirs. */
export type QuestSlots = Omit<
  Database['public']['Functions']['get_quest_completion_stats']['Returns'][number],
  'campaign_id'
>;

/** Slots by quest id; a quest that the answer does not name has no entry. */
export type SlotsById = Readonly<Record<string, QuestSlots>>;

export type QuestSort = 'new' | 'reward' | 'trending';

/** What to list: `search` in title and summary, at most `limit` quests (1 to 100). */
export type QuestFilters = { search?: string; sort?: QuestSort; limit?: number; isOnlyOpen?: boolean };

/** Submissions of a task that count against its slots. */
export type TaskCounts = { approved_count: number; pending_count: number };

/** Most points that a card promises; task cards show the real reward (C-61). */
const cardRewardCap = 100;
const unknownReward = 50;

/** Points on a quest's card: the average task reward, without tasks the budget, at most 100; 50 when unknown (HUB-10). */
export function cardReward(quest: Pick<QuestListItem, 'task_count' | 'average_reward' | 'budget_points'>): number {
  const points = quest.task_count === 0 ? quest.budget_points : quest.average_reward;
  return Number.isFinite(points) && points !== null ? Math.min(Math.round(points), cardRewardCap) : unknownReward;
}

const fullWithZeros: QuestSlots = { total_slots: 0, available_slots: 0, completed_slots: 0, is_quest_full: true };

/**
 * Slots of a quest out of the statistics: null when they are known and the quest is not among them, full with zeros when
 * they failed to load (HUB-09, C-34).
 */
export function slotsOf(questId: string, statistics: SlotsById | 'failed'): QuestSlots | null {
  return statistics === 'failed' ? fullWithZeros : (statistics[questId] ?? null);
}

export const hubViews = ['active', 'completed'] as const;
export type HubView = (typeof hubViews)[number];

/** Full quests belong to Completed, others to Active, quests without statistics to both (HUB-08). */
export function isInView(view: HubView, slots: QuestSlots | null): boolean {
  return slots === null || slots.is_quest_full === (view === 'completed');
}

type SlotCounts = { max_completions: number; approved_count: number; pending_count: number };

/** Free slots of a task, never below zero; submissions under review hold theirs (QUEST-07, TRUST-04). */
export function remainingSlots({ max_completions, approved_count, pending_count }: SlotCounts): number {
  return Math.max(0, max_completions - approved_count - pending_count);
}
