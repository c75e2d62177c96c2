/** What a project may still spend on quests, in points. */
export type QuestLimits = {
  /** Most points in all quests of a project on trial; null once a subscription has lifted it (C-22). */
  budgetPoints: number | null;
  /** Points that the budgets of its other quests take of it. */
  usedPoints: number;
};

/** The trial's terms, until the settings have been read and for a project without quests. */
export const trialLimits: QuestLimits = { budgetPoints: 500, usedPoints: 0 };

/** Points a quest may pay in all: amount for every participant; nothing when it gives no points. */
export function questTotal(values: { rewardType: string; rewardAmount: number; maxParticipants: number }): number {
  return values.rewardType === 'custom' ? 0 : values.rewardAmount * values.maxParticipants;
}

/** Points left of the limit after this quest, negative when it is over; null without a limit (QNEW-17). */
export function remainingPoints(total: number, { budgetPoints, usedPoints }: QuestLimits): number | null {
  return budgetPoints === null ? null : budgetPoints - usedPoints - total;
}

/** The most participants that the limit pays for at this reward: the way out that the red bar offers. At least 1. */
export function affordableParticipants(rewardAmount: number, limits: QuestLimits): number {
  const room = remainingPoints(0, limits);
  return room === null || rewardAmount === 0 ? 1000 : Math.max(1, Math.floor(room / rewardAmount));
}
