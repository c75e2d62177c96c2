import type { Status } from '@/components/status-badge';
import type { MyQuest, QuestState } from '@/features/quests';
import { isAppealOpen } from '@/features/submissions';

const stateLabels: Record<QuestState, Status> = {
  started: 'Started',
  waiting: 'In Review',
  rejected: 'Try Again',
  complete: 'Done',
  closed: 'Closed',
};

/** Status of a started quest. 'Under Appeal' only when nothing else is waiting; 'Rejected' where an appeal is all that is left. */
export function questStatus({
  state,
  can_continue,
  submissions,
}: Pick<MyQuest, 'state' | 'can_continue' | 'submissions'>): Status {
  if (state === 'rejected' && !can_continue) return 'Rejected';
  const isInReview = submissions.some(({ status }) => status === 'pending');
  return state === 'waiting' && !isInReview && submissions.some(isAppealOpen) ? 'Under Appeal' : stateLabels[state];
}

/** Button label of a started quest: the next action, or just viewing it (C-104). */
export function stepLabel({ state, can_continue }: Pick<MyQuest, 'state' | 'can_continue'>): string {
  if (!can_continue) return 'View Quest';
  return state === 'rejected' ? 'Try Again' : 'Continue Quest';
}

/**
 * The most urgent of the started quests: a rejected proof that can be resubmitted, then a quest that can be continued;
 * null without either.
 */
export function mostUrgent(quests: readonly MyQuest[]): MyQuest | null {
  const open = quests.filter((quest) => quest.can_continue);
  return (
    open.find(({ state }) => state === 'rejected') ?? open.find(({ state }) => state === 'started') ?? open[0] ?? null
  );
}

/** The rejected submission of a quest that is not being appealed, null when there is none. */
export const rejectedProof = (quest: MyQuest) =>
  quest.submissions.find((proof) => proof.status === 'rejected' && !isAppealOpen(proof)) ?? null;

type Reward = { title: string; points_cost: number; stock_quantity: number | null };

/**
 * The reward to aim for: the most expensive one that is affordable, else the cheapest; null when nothing is in stock.
 */
export function rewardInReach<Item extends Reward>(
  rewards: readonly Item[],
  points: number,
): { reward: Item; isAffordable: boolean } | null {
  const inStock = rewards
    .filter(({ stock_quantity: stock }) => stock === null || stock > 0)
    .sort((a, b) => a.points_cost - b.points_cost);
  const reward = inStock.findLast(({ points_cost }) => points_cost <= points) ?? inStock[0];
  return reward ? { reward, isAffordable: reward.points_cost <= points } : null;
}
