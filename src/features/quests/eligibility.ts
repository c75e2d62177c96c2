import * as z from 'zod/mini';

/** A quest that the member has completed; points earned, ISO time. */
const completedQuest = z.object({
  campaign_title: z.string(),
  startup_name: z.string(),
  reward_points: z.number(),
  completed_at: z.nullable(z.string()),
});
export type CompletedQuest = z.infer<typeof completedQuest>;

/** What validate_campaign_creation_eligibility answers (DB-23). */
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

/** When the check itself fails, nobody is kept from creating a quest (QNEW-05). */
export const assumedEligible: Eligibility = {
  is_eligible: true,
  requirement_message: 'Quest eligibility check failed. Proceeding with quest creation.',
  quest_completion: { quest_details: [] },
};

/** The same answer made from tables, for a database without the procedure (DB-28). */
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

/** How much the explore panel shows (QNEW-06). */
const shownQuests = 8;
const shownCompletions = 3;

/** One entry per quest: the list holds tasks, and a quest can have several. */
export function questsToExplore(available: readonly AvailableQuest[]): AvailableQuest[] {
  const byQuest = new Map<string, AvailableQuest>();
  for (const quest of available) if (!byQuest.has(quest.campaign_id)) byQuest.set(quest.campaign_id, quest);
  return [...byQuest.values()].slice(0, shownQuests);
}

/** The latest completions; the procedure lists them newest first. */
export function recentCompletions(eligibility: Eligibility): CompletedQuest[] {
  return eligibility.quest_completion.quest_details.slice(0, shownCompletions);
}
