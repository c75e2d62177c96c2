import * as z from 'zod/mini';
import { type QuestLimits, questTotal, remainingPoints } from './quest-budget';
import { linkProblem, type QuestFormValues, rewardParts, rewardTypes } from './quest-form';
import { verifications } from './quest-templates';

/** The sentence for a reward that alone is over the beta's limit (C-36). */
const rewardLimitMessage = 'Beta limit: maximum 500 points per quest';
const maxRewardPerPerson = 500;

/** The sentence for a total over what is left of the trial's budget (QNEW-17). */
export function totalLimitMessage(limit: number): string {
  return `Total budget exceeds trial limit of ${limit} points`;
}

const text = z.string();

const fields = z.object({
  title: text,
  description: text,
  selectedTemplate: z.nullable(z.int()),
  productUrl: text,
  twitterHandle: text,
  discordInvite: text,
  newsletterUrl: text,
  customInstructions: text,
  rewardType: z.enum(rewardTypes),
  rewardAmount: z.int(),
  cashAmount: z.number(),
  maxParticipants: z.int(),
  customRewardTitle: text,
  customRewardDescription: text,
  collectEmail: z.boolean(),
  emailCollectionPurpose: text,
  distributionMethod: z.literal('fcfs'),
  verification: z.enum(verifications),
  autoVerify: z.boolean(),
});

type Problem = { field: keyof QuestFormValues; message: string };

/**
 * Everything wrong with the form, in the order in which it is told (QNEW-14..17). The first is shown as the alert, all
 * of them beside their fields.
 */
export function questProblems(values: QuestFormValues, limits: QuestLimits): Problem[] {
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  const isBlank = (field: 'title' | 'description' | 'customRewardTitle' | 'customRewardDescription') =>
    values[field].trim() === '';
  const limit = limits.budgetPoints;
  const problems: (Problem | false | null)[] = [
    isBlank('title') && { field: 'title', message: 'Please enter a quest title' },
    isBlank('description') && { field: 'description', message: 'Please enter what members should do' },
    linkProblem(values),
    enableCustomReward &&
      isBlank('customRewardTitle') && { field: 'customRewardTitle', message: 'Please enter a custom reward title' },
    enableCustomReward &&
      isBlank('customRewardDescription') && {
        field: 'customRewardDescription',
        message: 'Please enter a custom reward description',
      },
    enablePoints &&
      values.rewardAmount < 1 && {
        field: 'rewardAmount',
        message: 'Please enter a valid reward amount (minimum 1 point)',
      },
    values.maxParticipants < 1 && {
      field: 'maxParticipants',
      message: 'Please enter a valid number of participants (minimum 1)',
    },
    enablePoints &&
      limit !== null &&
      values.rewardAmount > maxRewardPerPerson && { field: 'rewardAmount', message: rewardLimitMessage },
    limit !== null &&
      (remainingPoints(questTotal(values), limits) ?? 0) < 0 && {
        field: 'maxParticipants',
        message: totalLimitMessage(limit),
      },
  ];
  return problems.filter((problem) => problem !== null && problem !== false);
}

/** Checks the creation form; what the server checks again in create_quest. */
export function questSchema(limits: QuestLimits) {
  return fields.check((context) => {
    for (const { field, message } of questProblems(context.value, limits)) {
      context.issues.push({ code: 'custom', path: [field], message, input: context.value[field] });
    }
  });
}
