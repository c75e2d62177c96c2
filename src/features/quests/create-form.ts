import * as z from 'zod/mini';
import { type ErrorOverrides, fillSentence } from '@/lib/errors';
import { databaseSentences } from '@/types/database-errors';
import { isLinkable, linkAddress } from './link-fields';
import type { ProjectLimits } from './queries';
import { findTemplate, questTemplates, type TemplateField, type Verification, verifications } from './quest-templates';

/** What members get (QNEW-12). Cash is announced, not offered. */
const rewardTypes = ['points', 'custom', 'both'] as const;
export type RewardType = (typeof rewardTypes)[number];

/** Everything the creation form holds (QNEW-11); links without the prefix that the input shows. */
export type QuestFormValues = Record<TemplateField, string> & {
  title: string;
  /** What members read as instructions. */
  description: string;
  /** Number of the template, 1 to 8; null until one is chosen. */
  selectedTemplate: number | null;
  rewardType: RewardType;
  /** Points per person, 0 to 1000. */
  rewardAmount: number;
  /** US dollars per person; shown as Coming Soon and never sent. */
  cashAmount: number;
  maxParticipants: number;
  customRewardTitle: string;
  customRewardDescription: string;
  collectEmail: boolean;
  emailCollectionPurpose: string;
  distributionMethod: 'fcfs';
  verification: Verification;
  autoVerify: boolean;
  /** Local date and time as the inputs give them, '2026-05-01T09:00'; blank: at once, and without an end (BEY-07). */
  startsAt: string;
  endsAt: string;
};

const blankLinks: Record<TemplateField, string> = {
  productUrl: '',
  twitterHandle: '',
  discordInvite: '',
  newsletterUrl: '',
  customInstructions: '',
};

/** The form before anything is chosen (QNEW-12). */
export const emptyQuest: QuestFormValues = {
  ...blankLinks,
  title: '',
  description: '',
  selectedTemplate: null,
  rewardType: 'points',
  rewardAmount: 25,
  cashAmount: 5,
  maxParticipants: 20,
  customRewardTitle: '',
  customRewardDescription: '',
  collectEmail: false,
  emailCollectionPurpose: '',
  distributionMethod: 'fcfs',
  verification: 'simple',
  autoVerify: true,
  startsAt: '',
  endsAt: '',
};

/** Whether points and a custom reward are given: the fields enablePoints and enableCustomReward, which follow from the type. */
export function rewardParts(rewardType: RewardType): { enablePoints: boolean; enableCustomReward: boolean } {
  return { enablePoints: rewardType !== 'custom', enableCustomReward: rewardType !== 'points' };
}

/** What choosing a template writes into the form; its link fields become blank (QNEW-08). */
export function templateValues(id: number): Partial<QuestFormValues> {
  const template = findTemplate(id) ?? questTemplates[questTemplates.length - 1];
  if (!template) return {};
  const { title, description, rewardAmount, verification, autoVerify } = template;
  return { ...blankLinks, selectedTemplate: template.id, title, description, rewardAmount, verification, autoVerify };
}

/** What is wrong with the chosen template's own field, null when nothing is. */
function linkProblem(values: QuestFormValues): { field: TemplateField; message: string } | null {
  const template = findTemplate(values.selectedTemplate);
  if (!template) return null;
  const field = template.requires;
  const label = template.requiresLabel;
  if (values[field].trim() === '') return { field, message: `Please fill in: ${label}` };
  const address = linkAddress(field, values[field]);
  if (address !== null && !isLinkable(address)) return { field, message: `Please check the ${label}` };
  return null;
}

/** The sentence for a total over what is left of the trial's budget, or of that and what was bought (QNEW-17). */
export function totalLimitMessage({ budgetPoints, hasBought }: QuestLimits): string {
  const sentence = hasBought ? databaseSentences.POINTS_BUDGET_LIMIT : databaseSentences.BUDGET_LIMIT;
  return fillSentence(sentence, budgetPoints ?? 0);
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
  startsAt: text,
  endsAt: text,
});

type Problem = { field: keyof QuestFormValues; message: string };

/** What is wrong with the times, when they are given (BEY-07). */
function scheduleProblems({ startsAt, endsAt }: QuestFormValues): (Problem | false)[] {
  if (!endsAt) return [];
  const ends = Date.parse(endsAt);
  return [
    startsAt !== '' && ends <= Date.parse(startsAt) && { field: 'endsAt', message: databaseSentences.END_BEFORE_START },
    ends <= Date.now() && { field: 'endsAt', message: databaseSentences.END_PASSED },
  ];
}

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
    isBlank('title') && { field: 'title', message: databaseSentences.QUEST_TITLE_REQUIRED },
    isBlank('description') && { field: 'description', message: 'Please enter what members should do' },
    linkProblem(values),
    enableCustomReward &&
      isBlank('customRewardTitle') && {
        field: 'customRewardTitle',
        message: databaseSentences.CUSTOM_REWARD_TITLE_REQUIRED,
      },
    enableCustomReward &&
      isBlank('customRewardDescription') && {
        field: 'customRewardDescription',
        message: databaseSentences.CUSTOM_REWARD_DESCRIPTION_REQUIRED,
      },
    enablePoints &&
      values.rewardAmount < 1 && {
        field: 'rewardAmount',
        message: databaseSentences.REWARD_MIN,
      },
    values.maxParticipants < 1 && {
      field: 'maxParticipants',
      message: databaseSentences.PARTICIPANTS_MIN,
    },
    enablePoints &&
      values.rewardAmount > limits.rewardPoints && {
        field: 'rewardAmount',
        message: fillSentence(databaseSentences.REWARD_MAX, limits.rewardPoints),
      },
    limit !== null &&
      (remainingPoints(questTotal(values), limits) ?? 0) < 0 && {
        field: 'maxParticipants',
        message: totalLimitMessage(limits),
      },
    ...scheduleProblems(values),
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

/** Arguments of create_quest; names as the procedure reads them. */
export type QuestPayload = {
  quest: {
    title: string;
    summary: string;
    details_md: string;
    custom_reward_title?: string;
    custom_reward_description?: string;
    collect_emails: boolean;
    email_collection_purpose?: string;
    starts_at?: string;
    ends_at?: string;
  };
  task: {
    title: string;
    type: string;
    instructions_md: string;
    reward_points: number;
    max_completions: number;
    requires_proof: boolean;
    proof_type: 'link' | 'screenshot' | 'text';
    auto_verify: boolean;
  };
};

const summaryLength = 160;

/** The first paragraph, cut at a word: what the quest card has room for. */
export function questSummary(description: string): string {
  const line = description.trim().split('\n', 1)[0]?.trim() ?? '';
  if (line.length <= summaryLength) return line;
  return `${line.slice(0, summaryLength - 1).replace(/\s+\S*$/, '')}…`;
}

/** The task's instructions in Markdown: the description, the custom instructions and the link, where there are any. */
export function questInstructions(values: QuestFormValues): string {
  const template = findTemplate(values.selectedTemplate);
  const address = template && linkAddress(template.requires, values[template.requires]);
  const custom = template?.requires === 'customInstructions' ? values.customInstructions.trim() : '';
  return [values.description.trim(), custom, address].filter(Boolean).join('\n\n');
}

/** Maps the form to what create_quest takes (QNEW-18, QNEW-19, C-33, C-36). */
export function questPayload(values: QuestFormValues): QuestPayload {
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  const title = values.title.trim();
  const purpose = values.emailCollectionPurpose.trim();
  return {
    quest: {
      title,
      summary: questSummary(values.description),
      // The founder's words only: the terms are told from the quest itself (C-71).
      details_md: values.description.trim(),
      ...(enableCustomReward && {
        custom_reward_title: values.customRewardTitle.trim(),
        custom_reward_description: values.customRewardDescription.trim(),
      }),
      collect_emails: values.collectEmail,
      ...(values.collectEmail && purpose !== '' && { email_collection_purpose: purpose }),
      ...(values.startsAt && { starts_at: new Date(values.startsAt).toISOString() }),
      ...(values.endsAt && { ends_at: new Date(values.endsAt).toISOString() }),
    },
    task: {
      title,
      type: findTemplate(values.selectedTemplate)?.taskType ?? 'others',
      instructions_md: questInstructions(values),
      reward_points: enablePoints ? values.rewardAmount : 0,
      max_completions: values.maxParticipants,
      requires_proof: values.verification !== 'simple',
      proof_type: values.verification === 'simple' ? 'text' : values.verification,
      auto_verify: values.autoVerify,
    },
  };
}

/** What a project may still spend on quests, in points. */
export type QuestLimits = {
  /** Most points in all quests of a project on trial; null once a subscription has lifted it (C-22). */
  budgetPoints: number | null;
  /** Points that the budgets of its other quests take of it. */
  usedPoints: number;
  /** Most points of one reward (C-36). */
  rewardPoints: number;
  /** Whether bought points are part of the budget (BEY-20). */
  hasBought: boolean;
};

/** The trial's terms, until the limits have been read and for a project without quests. */
export const trialLimits: QuestLimits = { budgetPoints: 500, usedPoints: 0, rewardPoints: 500, hasBought: false };

/** The limits as get_quest_limits answers them. */
export function toQuestLimits(row: ProjectLimits): QuestLimits {
  const { budget_limit, budget_used, reward_limit, bought_points } = row;
  return {
    budgetPoints: budget_limit,
    usedPoints: budget_used,
    rewardPoints: reward_limit,
    hasBought: bought_points > 0,
  };
}

/** Points a quest may pay in all: amount for every participant; nothing when it gives no points. */
export function questTotal(values: { rewardType: string; rewardAmount: number; maxParticipants: number }): number {
  return values.rewardType === 'custom' ? 0 : values.rewardAmount * values.maxParticipants;
}

/** Points left of the limit after this quest, negative when it is over; null without a limit (QNEW-17). */
export function remainingPoints(
  total: number,
  { budgetPoints, usedPoints }: Pick<QuestLimits, 'budgetPoints' | 'usedPoints'>,
): number | null {
  return budgetPoints === null ? null : budgetPoints - usedPoints - total;
}

/** The most participants that the limit pays for at this reward: the way out that the red bar offers. At least 1. */
export function affordableParticipants(rewardAmount: number, limits: QuestLimits): number {
  const room = remainingPoints(0, limits);
  return room === null || rewardAmount === 0 ? 1000 : Math.max(1, Math.floor(room / rewardAmount));
}

const unforeseen = 'Failed to create the quest. Please try again or contact support if the issue persists.';

/** What to tell a founder whose quest was not created (QNEW-20). */
export const createQuestErrors: ErrorOverrides = {
  codes: {
    STARTUP_ID_NOT_FOUND: 'Your project profile was not found. Please create your project profile first and try again.',
    INSUFFICIENT_POINTS: "You don't have enough points to create this quest. Please check your wallet balance.",
    UNKNOWN: unforeseen,
    TIMEOUT: unforeseen,
    NOT_FOUND: unforeseen,
  },
  fallback: 'Failed to create quest.',
};
