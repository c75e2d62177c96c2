import type { FieldPath } from 'react-hook-form';
import * as z from 'zod/mini';
import { type ErrorOverrides, fillSentence } from '@/lib/errors';
import { isWebAddress } from '@/lib/web-address';
import * as databaseSentences from '@/types/database-errors';
import type { Quest, Task } from './queries';
import { allocatedPoints, type QuestFormValues, rewardParts, type TaskValues, taskInstructions } from './quest-form';
import {
  mostBudget,
  mostCompletions,
  overBudgetMessage,
  type QuestLimits,
  remainingPoints,
  taskBudget,
  totalLimitMessage,
} from './quest-limits';
import { findTemplate, linkAddress } from './quest-templates';

/**
 * Context of the validation: the same rules for a new and a stored quest, except that stored values stay allowed
 * (C-75).
 */
export type QuestBounds = {
  limits: QuestLimits;
  /** The stored quest that is edited; null for a new one. */
  stored: { quest: Quest; tasks: readonly Task[] } | null;
};

/** Whether there are submissions: then the terms can only improve for participants (C-75). */
export function hasProofs({ stored }: QuestBounds): boolean {
  return stored !== null && stored.quest.submission_count > 0;
}

export type QuestField = FieldPath<QuestFormValues>;

/** A validation error: the message at its field, and one for the summary that also names the field. */
export type Problem = { field: QuestField; message: string; summary?: string };

/** Maximum length of a text, by the last part of its field's name; the same as in the database. */
const textLimits = {
  title: 200,
  summary: 500,
  details: 10_000,
  instructions: 5000,
  customInstructions: 1000,
  productUrl: 500,
  twitterHandle: 100,
  discordInvite: 100,
  newsletterUrl: 500,
  customRewardTitle: 200,
  customRewardDescription: 2000,
  emailCollectionPurpose: 500,
  linkUrl: 2048,
  sharedCode: 64,
  checkTarget: 2048,
} as const;

type TextName = keyof typeof textLimits;
/** Name of a text field with a maximum length. */
export type TextFieldName =
  | Exclude<TextName, 'instructions' | VerificationText>
  | `tasks.${number}.${'title' | 'instructions' | VerificationText}`;
type VerificationText = 'linkUrl' | 'sharedCode' | 'checkTarget';

export function textLimit(field: TextFieldName): number {
  return textLimits[field.slice(field.lastIndexOf('.') + 1) as TextName];
}

const isBlank = (text: string) => text.trim() === '';

function textProblem(field: TextFieldName, text: string, missing?: { message: string; summary?: string }): Problem[] {
  const limit = textLimit(field);
  if (missing && isBlank(text)) return [{ field, ...missing }];
  if (text.trim().length > limit) return [{ field, message: `Please use at most ${limit} characters` }];
  return [];
}

/** The chosen template's own field (QNEW-09). */
function linkProblems(values: QuestFormValues): Problem[] {
  const template = findTemplate(values.selectedTemplate);
  if (!template) return [];
  const { requires: field, requiresLabel: label } = template;
  const address = linkAddress(field, values[field]);
  if (address !== null && !isWebAddress(address)) return [{ field, message: `Please check the ${label}` }];
  return textProblem(field, values[field], { message: `Please fill in: ${label}` });
}

type Range = { min: number; max: number };

/** Minimum and maximum reward of a task: those for a new quest, unless another value is stored or promised. */
export function rewardRange(values: QuestFormValues, task: TaskValues, bounds: QuestBounds): Range {
  const current = bounds.stored?.tasks.find(({ id }) => id === task.taskId)?.reward_points;
  const isOptional = values.rewardType === 'both' && bounds.stored !== null;
  const range = { min: isOptional ? 0 : 1, max: bounds.limits.rewardPoints };
  if (current === undefined) return range;
  return {
    min: hasProofs(bounds) ? Math.max(range.min, current) : range.min,
    max: Math.max(range.max, current),
  };
}

/** Minimum and maximum completions of a task: not fewer than are taken. */
export function completionsRange(task: TaskValues, { stored }: QuestBounds): Range {
  const current = stored?.tasks.find(({ id }) => id === task.taskId);
  const taken = current ? current.approved_count + current.pending_count + current.kept_count : 0;
  return { min: Math.max(1, taken), max: Math.max(mostCompletions, current?.max_completions ?? 0) };
}

/** Minimum and maximum budget of a stored quest. */
export function budgetRange({ limits, stored }: QuestBounds): Range {
  const room = remainingPoints(0, limits) ?? mostBudget;
  return { min: 1, max: Math.max(room, stored?.quest.budget_points ?? 0) };
}

/** Initial budget of the only quest of a trial with less than 100 points, so that tasks can be added (QEDIT-11). */
export function openingBudget({ limits, stored }: QuestBounds): number {
  const budget = stored?.quest.budget_points ?? 0;
  const room = remainingPoints(0, limits);
  // If the project may have more quests, a larger budget here would quietly take points from those.
  return budget === 0 || budget >= 100 || room === null || limits.questLimit !== 1
    ? budget
    : Math.max(budget, Math.min(500, room));
}

function rewardProblems(values: QuestFormValues, index: number, task: TaskValues, bounds: QuestBounds): Problem[] {
  const field = `tasks.${index}.rewardPoints` as const;
  const { min, max } = rewardRange(values, task, bounds);
  const points = task.rewardPoints;
  if (!rewardParts(values.rewardType).enablePoints || (points >= min && points <= max)) return [];
  if (bounds.stored === null) {
    const tooMany = bounds.limits.isBeta ? databaseSentences.REWARD_MAX : databaseSentences.TRIAL_REWARD_MAX;
    return [{ field, message: points < min ? databaseSentences.REWARD_MIN : fillSentence(tooMany, max) }];
  }
  if (hasProofs(bounds) && task.taskId !== null && points < min) {
    const message = fillSentence(databaseSentences.REWARD_PROMISED, min, index + 1);
    return [{ field, message, summary: message }];
  }
  return [{ field, message: fillSentence(databaseSentences.TASK_POINTS_RANGE, min, max) }];
}

function completionsProblems(index: number, task: TaskValues, bounds: QuestBounds): Problem[] {
  const field = `tasks.${index}.maxCompletions` as const;
  const { min, max } = completionsRange(task, bounds);
  const count = task.maxCompletions;
  if (count >= min && count <= max) return [];
  if (count > max) {
    const sentence = bounds.stored ? databaseSentences.TASK_COMPLETIONS_MAX : databaseSentences.PARTICIPANTS_MAX;
    return [{ field, message: fillSentence(sentence, max) }];
  }
  if (min > 1) return [{ field, message: databaseSentences.TASK_SLOTS_TAKEN }];
  const message = bounds.stored ? databaseSentences.TASK_COMPLETIONS_MIN : databaseSentences.PARTICIPANTS_MIN;
  return [{ field, message }];
}

/**
 * Requirements of a verified action; only the server knows whether an endpoint was tested and a secret exists (BEY-13).
 */
function verificationProblems(index: number, task: TaskValues, { stored }: QuestBounds): Problem[] {
  const { verification, linkUrl, sharedCode, codes, checkSource, checkTarget } = task;
  const before = stored?.tasks.find(({ id }) => id === task.taskId);
  const isStored = before?.verification === verification;
  const at = <Name extends VerificationText>(name: Name) => `tasks.${index}.${name}` as const;
  if (verification === 'code') {
    const code = sharedCode.replace(/[\s_-]/g, '');
    if (code === '' && codes.length === 0 && !isStored)
      return [{ field: at('sharedCode'), message: 'Please add a code' }];
    return code === '' || /^[\p{L}\p{N}]{6,64}$/u.test(code)
      ? []
      : [{ field: at('sharedCode'), message: databaseSentences.COMPLETION_CODE_FORMAT }];
  }
  if (verification !== 'call' && verification !== 'check') return [];
  const isKept = isStored && verification === 'check' && checkSource === '';
  const isPullRequest = verification === 'check' && checkSource === 'github_pull_request';
  const isLinkOptional = isPullRequest || (isKept && before.link_url === null);
  const missingLink = { message: 'Please add the link where members do it' };
  const problems = textProblem(at('linkUrl'), linkUrl, isLinkOptional ? undefined : missingLink);
  if (problems.length === 0 && !isBlank(linkUrl) && !isWebAddress(linkUrl))
    return [{ field: at('linkUrl'), message: databaseSentences.INVALID_LINK }];
  if (problems.length > 0 || verification === 'call' || (isKept && isBlank(checkTarget))) return problems;
  const field = at('checkTarget');
  if (!isPullRequest) return textProblem(field, checkTarget, { message: 'Please add the address that we ask' });
  return /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/.test(checkTarget.trim())
    ? []
    : [{ field, message: 'Please enter the repository as owner/name' }];
}

/** The only task of a new quest; it takes the quest's title. */
function newQuestProblems(values: QuestFormValues, bounds: QuestBounds): Problem[] {
  const [task] = values.tasks;
  if (!task) return [];
  const instructions = 'tasks.0.instructions';
  const remaining = remainingPoints(allocatedPoints(values), bounds.limits);
  const limits = [...rewardProblems(values, 0, task, bounds), ...completionsProblems(0, task, bounds)];
  return [
    ...textProblem('title', values.title, { message: databaseSentences.QUEST_TITLE_REQUIRED }),
    ...linkProblems(values),
    ...textProblem(instructions, taskInstructions(values, task)),
    ...textProblem(instructions, task.instructions, { message: 'Please enter what members should do' }),
    ...limits,
    ...(limits.length === 0 && remaining !== null && remaining < 0
      ? [{ field: 'tasks.0.maxCompletions' as const, message: totalLimitMessage(bounds.limits) }]
      : []),
    ...customRewardProblems(values, bounds),
    ...verificationProblems(0, task, bounds),
  ];
}

function taskProblems(values: QuestFormValues, index: number, bounds: QuestBounds): Problem[] {
  const task = values.tasks[index];
  if (!task) return [];
  return [
    ...textProblem(`tasks.${index}.title`, task.title, {
      message: 'Task title is required',
      summary: fillSentence(databaseSentences.TASK_TITLE_REQUIRED, index + 1),
    }),
    ...textProblem(`tasks.${index}.instructions`, task.instructions, {
      message: 'Task instructions are required',
      summary: fillSentence(databaseSentences.TASK_INSTRUCTIONS_REQUIRED, index + 1),
    }),
    ...[
      ...rewardProblems(values, index, task, bounds),
      ...completionsProblems(index, task, bounds),
      ...verificationProblems(index, task, bounds),
    ].map((problem) => ({
      summary: `Task ${index + 1}: ${problem.message}`,
      ...problem,
    })),
  ];
}

function budgetProblems(values: QuestFormValues, bounds: QuestBounds): Problem[] {
  const field = 'budgetPoints';
  if (!rewardParts(values.rewardType).enablePoints) return [];
  const { min, max } = budgetRange(bounds);
  const budget = values.budgetPoints;
  if (budget < min || budget > mostBudget) {
    return [{ field, message: fillSentence(databaseSentences.BUDGET_RANGE, min, max) }];
  }
  if (budget > max) return [{ field, message: totalLimitMessage(bounds.limits) }];
  const over = overBudgetMessage(taskBudget(budget, allocatedPoints(values)));
  return over === null ? [] : [{ field, message: over }];
}

function storedQuestProblems(values: QuestFormValues, bounds: QuestBounds): Problem[] {
  return [
    ...textProblem('title', values.title, {
      message: 'Quest title is required',
      summary: databaseSentences.TITLE_REQUIRED,
    }),
    ...textProblem('summary', values.summary, {
      message: 'Quest summary is required',
      summary: databaseSentences.SUMMARY_REQUIRED,
    }),
    ...textProblem('details', values.details, {
      message: 'Quest details are required',
      summary: 'Please enter the quest details.',
    }),
    ...budgetProblems(values, bounds),
    ...values.tasks.flatMap((_, index) => taskProblems(values, index, bounds)),
    ...customRewardProblems(values, bounds),
  ];
}

/** The custom reward that participants were promised; null without one. */
export function promisedReward(bounds: QuestBounds): { title: string; description: string } | null {
  const { custom_reward_title: title, custom_reward_description: description } = bounds.stored?.quest ?? {};
  return title && hasProofs(bounds) ? { title, description: description ?? '' } : null;
}

function customRewardProblems(values: QuestFormValues, bounds: QuestBounds): Problem[] {
  const promised = promisedReward(bounds);
  const isKept = (text: string, start: string) => text.trim().startsWith(start);
  const message = databaseSentences.CUSTOM_REWARD_PROMISED;
  if (!rewardParts(values.rewardType).enableCustomReward) return [];
  const missing = [
    ...textProblem('customRewardTitle', values.customRewardTitle, {
      message: databaseSentences.CUSTOM_REWARD_TITLE_REQUIRED,
    }),
    ...textProblem('customRewardDescription', values.customRewardDescription, {
      message: databaseSentences.CUSTOM_REWARD_DESCRIPTION_REQUIRED,
    }),
  ];
  if (missing.length > 0 || promised === null) return missing;
  return [
    ...(isKept(values.customRewardTitle, promised.title) ? [] : [{ field: 'customRewardTitle' as const, message }]),
    ...(isKept(values.customRewardDescription, promised.description)
      ? []
      : [{ field: 'customRewardDescription' as const, message }]),
  ];
}

/** Errors in the schedule, if there is one (BEY-07). */
function scheduleProblems({ startsAt, endsAt }: QuestFormValues, { stored }: QuestBounds): Problem[] {
  const field = 'endsAt';
  if (endsAt === '') return [];
  const ends = Date.parse(endsAt);
  if (startsAt !== '' && ends <= Date.parse(startsAt)) return [{ field, message: databaseSentences.END_BEFORE_START }];
  const isPublished = stored === null || stored.quest.status === 'published';
  return isPublished && ends <= Date.now() ? [{ field, message: databaseSentences.END_PASSED }] : [];
}

/** All validation errors, in the order of the fields on the screen (QNEW-14..17, QEDIT-10..13, C-113). */
export function questProblems(values: QuestFormValues, bounds: QuestBounds): Problem[] {
  return [
    ...(bounds.stored ? storedQuestProblems(values, bounds) : newQuestProblems(values, bounds)),
    ...(values.collectEmail ? textProblem('emailCollectionPurpose', values.emailCollectionPurpose) : []),
    ...scheduleProblems(values, bounds),
  ];
}

/** Validates the form; create_quest and update_campaign enforce the same rules. */
export function questSchema(bounds: QuestBounds) {
  return z.custom<QuestFormValues>().check((context) => {
    for (const { field, message } of questProblems(context.value, bounds)) {
      context.issues.push({ code: 'custom', path: field.split('.'), message, input: context.value });
    }
  });
}

const unforeseen = 'Failed to create the quest. Please try again or contact support if the issue persists.';

/** Message when creating a quest failed (QNEW-20). */
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

/** Message when saving failed (QEDIT-14). */
export const updateQuestErrors: ErrorOverrides = {
  codes: {
    INSUFFICIENT_POINTS:
      'Your project has too few free points for this. A higher reward is reserved for every spot that is not paid yet, also for those of proofs that wait for you or may be appealed.',
  },
  prefix: 'Failed to update quest',
};
