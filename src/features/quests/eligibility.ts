import * as z from 'zod/mini';

/** A quest that the member has completed, with points earned and ISO time. */
const completedQuest = z.object({
  campaign_title: z.string(),
  startup_name: z.string(),
  reward_points: z.number(),
  completed_at: z.nullable(z.string()),
});
export type CompletedQuest = z.infer<typeof completedQuest>;

/** Result of validate_campaign_creation_eligibility (DB-23). */
export const eligibilitySchema = z.object({
  is_eligible: z.boolean(),
  requirement_message: z.string(),
  /** Why the project starts without trial points (C-81); null when it does not. */
  trial_message: z.nullish(z.string()),
  quest_completion: z.object({ quest_details: z.array(completedQuest) }),
});
export type Eligibility = z.infer<typeof eligibilitySchema>;

/** A task that a member could do next, as get_available_quests_for_new_user lists it (DB-23). */
export type AvailableQuest = {
  task_id: string;
  campaign_id: string;
  campaign_title: string;
  startup_name: string;
  startup_logo: string | null;
  reward_points: number;
};

/** Used when the check itself fails, which must not block creating a quest (QNEW-05). */
export const assumedEligible: Eligibility = {
  is_eligible: true,
  requirement_message: 'Quest eligibility check failed. Proceeding with quest creation.',
  quest_completion: { quest_details: [] },
};

/** The same result computed from tables, for a database without the procedure (DB-28). */
export function eligibilityFromCompleted(details: CompletedQuest[]): Eligibility {
  const isEligible = details.length > 0;
  return {
    is_eligible: isEligible,
    requirement_message: isEligible
      ? 'Requirement met: you have completed a quest and can create your own.'
      : 'Complete at least 1 quest before you create your own, to see what members see.',
    quest_completion: { quest_details: details },
  };
}

/** Number of entries in the explore panel (QNEW-06). */
const shownQuests = 8;
const shownCompletions = 3;

/** One entry per quest, with the points of all its tasks: the list has one row per task. */
export function questsToExplore(available: readonly AvailableQuest[]): AvailableQuest[] {
  const byQuest = new Map<string, AvailableQuest>();
  for (const task of available) {
    const points = byQuest.get(task.campaign_id)?.reward_points ?? 0;
    byQuest.set(task.campaign_id, { ...task, reward_points: points + task.reward_points });
  }
  return [...byQuest.values()].slice(0, shownQuests);
}

/** The latest completions; the procedure lists them newest first. */
export function recentCompletions(eligibility: Eligibility): CompletedQuest[] {
  return eligibility.quest_completion.quest_details.slice(0, shownCompletions);
}
