import type { Quest, Task } from './queries';
import { findTemplate, linkAddress, questTemplates, type TemplateField, type Verification } from './quest-templates';

/** Reward types (QNEW-12). Cash is announced, not offered. */
export const rewardTypes = ['points', 'custom', 'both'] as const;
export type RewardType = (typeof rewardTypes)[number];

/** Task types in the form; a stored `others` is kept until another is chosen (C-33). */
export const taskTypes = ['visit', 'signup', 'follow', 'share', 'custom'] as const;

/** Source of a check: an endpoint of the project, or GitHub for a merged pull request. */
export type CheckSource = 'endpoint' | 'github_pull_request';

/** One task of the form. */
export type TaskValues = {
  /** Null for a task that is not stored yet. */
  taskId: string | null;
  title: string;
  type: Task['type'];
  instructions: string;
  /** Points per completion. */
  rewardPoints: number;
  maxCompletions: number;
  verification: Verification;
  autoVerify: boolean;
  /** Where members do a task that a call or a check verifies. */
  linkUrl: string;
  /** A new shared code; blank keeps the stored one, which cannot be read back. */
  sharedCode: string;
  /** New single-use codes. */
  codes: string[];
  /** Source of the check; blank keeps the stored one, or means the project's endpoint if there is none. */
  checkSource: '' | CheckSource;
  /** The endpoint or repository of the check; blank keeps the stored one. */
  checkTarget: string;
};

/** Initial values for verified actions (BEY-13). */
const blankVerification = { linkUrl: '', sharedCode: '', codes: [], checkSource: '' as const, checkTarget: '' };

/**
 * The form of a quest, the same for creating and editing (QNEW-11, QEDIT-04, C-75). A new quest has one task, which
 * takes the quest's title; its instructions become the summary and the details, and its cost is the budget.
 */
export type QuestFormValues = Record<TemplateField, string> & {
  /**
   * Number of the template, 1 to 8; null until one is chosen, and for a stored quest. Links are without the prefix that
   * the input shows.
   */
  selectedTemplate: number | null;
  title: string;
  summary: string;
  details: string;
  /** Maximum points that the tasks may pay out together. */
  budgetPoints: number;
  tasks: TaskValues[];
  rewardType: RewardType;
  distributionMethod: 'fcfs';
  customRewardTitle: string;
  customRewardDescription: string;
  collectEmail: boolean;
  emailCollectionPurpose: string;
  /** Local date and time as in the inputs, '2026-05-01T09:00'; blank: immediately, and without an end (BEY-07). */
  startsAt: string;
  endsAt: string;
  /** Hours within which a proof is reviewed; after that the server approves it (BEY-22). */
  reviewHours: number;
};

/** Review times in the form; a different stored one stays until another is chosen. */
export const reviewTimes = [24, 48, 72, 120, 168, 336, 504] as const;

const blankLinks: Record<TemplateField, string> = {
  productUrl: '',
  twitterHandle: '',
  discordInvite: '',
  newsletterUrl: '',
  customInstructions: '',
};

const emptyTask: TaskValues = {
  taskId: null,
  title: '',
  type: 'others',
  instructions: '',
  rewardPoints: 25,
  maxCompletions: 20,
  verification: 'simple',
  autoVerify: true,
  ...blankVerification,
};

/** Initial values of a new quest (QNEW-12). */
export const emptyQuest: QuestFormValues = {
  ...blankLinks,
  selectedTemplate: null,
  title: '',
  summary: '',
  details: '',
  budgetPoints: 0,
  tasks: [emptyTask],
  rewardType: 'points',
  distributionMethod: 'fcfs',
  customRewardTitle: '',
  customRewardDescription: '',
  collectEmail: false,
  emailCollectionPurpose: '',
  startsAt: '',
  endsAt: '',
  reviewHours: 72,
};

/** Whether the reward type includes points and a custom reward (enablePoints and enableCustomReward). */
export function rewardParts(rewardType: RewardType): { enablePoints: boolean; enableCustomReward: boolean } {
  return { enablePoints: rewardType !== 'custom', enableCustomReward: rewardType !== 'points' };
}

/** Values that choosing a template sets in the quest and its task; clears the link fields (QNEW-08). */
export function templateValues(id: number): { quest: Partial<QuestFormValues>; task: Partial<TaskValues> } {
  const template = findTemplate(id) ?? questTemplates[questTemplates.length - 1];
  if (!template) return { quest: {}, task: {} };
  const { title, description, rewardAmount, verification, autoVerify, taskType } = template;
  return {
    quest: { ...blankLinks, selectedTemplate: template.id, title },
    task: { type: taskType, instructions: description, rewardPoints: rewardAmount, verification, autoVerify },
  };
}

/** Initial values of a task added to a stored quest: 50 points, or the remaining budget if that is less (QEDIT-06). */
export function newTask(values: Pick<QuestFormValues, 'budgetPoints' | 'tasks' | 'rewardType'>): TaskValues {
  return {
    taskId: null,
    title: '',
    type: 'visit',
    instructions: '',
    rewardPoints: Math.max(0, Math.min(50, values.budgetPoints - allocatedPoints(values))),
    maxCompletions: 1,
    verification: 'screenshot',
    autoVerify: false,
    ...blankVerification,
  };
}

/** Points that the tasks may pay out together; none with a custom reward only (C-36, QEDIT-07). */
export function allocatedPoints({ rewardType, tasks }: Pick<QuestFormValues, 'rewardType' | 'tasks'>): number {
  if (rewardType === 'custom') return 0;
  return tasks.reduce((sum, task) => sum + task.rewardPoints * task.maxCompletions, 0);
}

/** '2026-05-01T09:00' in the local time zone, as in the inputs; blank for null. */
function localTime(iso: string | null): string {
  if (iso === null) return '';
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function storedRewardType(quest: Quest, tasks: readonly Task[]): RewardType {
  if (quest.custom_reward_title === null) return 'points';
  return tasks.some((task) => task.reward_points > 0) ? 'both' : 'custom';
}

function storedVerification({ verification, requires_proof, proof_type }: Task): Verification {
  if (verification !== 'review' && verification !== 'automatic') return verification;
  return requires_proof ? proof_type : 'simple';
}

/** Form values of a stored quest. */
export function storedValues(quest: Quest, tasks: readonly Task[]): QuestFormValues {
  return {
    ...emptyQuest,
    title: quest.title,
    summary: quest.summary,
    details: quest.details_md,
    budgetPoints: quest.budget_points,
    tasks: tasks.map((task) => ({
      taskId: task.id,
      title: task.title,
      type: task.type,
      instructions: task.instructions_md,
      rewardPoints: task.reward_points,
      maxCompletions: task.max_completions,
      verification: storedVerification(task),
      autoVerify: task.auto_verify,
      ...blankVerification,
      linkUrl: task.link_url ?? '',
    })),
    rewardType: storedRewardType(quest, tasks),
    customRewardTitle: quest.custom_reward_title ?? '',
    customRewardDescription: quest.custom_reward_description ?? '',
    collectEmail: quest.collect_emails,
    emailCollectionPurpose: quest.email_collection_purpose ?? '',
    startsAt: localTime(quest.starts_at),
    endsAt: localTime(quest.ends_at),
    reviewHours: quest.review_hours,
  };
}

const summaryLength = 160;

/** A line of Markdown as the card shows it: without the marks of headings, lists, emphasis and links. */
function withoutMarks(line: string): string {
  return line
    .replace(/^(#{1,6}|[-*+>]|\d+\.)\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|`)(?=\S)(.*?\S)\1/g, '$2')
    .trim();
}

/** The first line as plain text, cut at a word boundary to fit the quest card. */
export function questSummary(description: string): string {
  const line = withoutMarks(description.trim().split('\n', 1)[0] ?? '');
  if (line.length <= summaryLength) return line;
  return `${line.slice(0, summaryLength - 1).replace(/\s+\S*$/, '')}…`;
}

/** A task's instructions in Markdown, including the custom instructions or link of its template. */
export function taskInstructions(values: QuestFormValues, task: TaskValues): string {
  const template = findTemplate(values.selectedTemplate);
  const address = template && linkAddress(template.requires, values[template.requires]);
  const custom = template?.requires === 'customInstructions' ? values.customInstructions.trim() : '';
  return [task.instructions.trim(), custom, address].filter(Boolean).join('\n\n');
}

/** Verification and its settings, as sent to the server (BEY-13). */
export function verificationPayload(task: TaskValues) {
  const { verification, autoVerify, linkUrl, sharedCode, codes, checkSource, checkTarget } = task;
  switch (verification) {
    case 'code':
      return {
        verification,
        ...(sharedCode.trim() !== '' && { shared_code: sharedCode.trim() }),
        ...(codes.length > 0 && { single_use_codes: codes }),
      };
    case 'call':
      return { verification, link_url: linkUrl.trim() };
    case 'check':
      return {
        verification,
        link_url: linkUrl.trim(),
        ...(checkTarget.trim() !== '' && {
          check_source: checkSource || ('endpoint' as const),
          check_target: checkTarget.trim(),
        }),
      };
    default:
      return {
        verification: autoVerify ? ('automatic' as const) : ('review' as const),
        requires_proof: verification !== 'simple',
        proof_type: verification === 'simple' ? ('text' as const) : verification,
      };
  }
}

function taskPayload(values: QuestFormValues, task: TaskValues) {
  return {
    ...(task.taskId !== null && { id: task.taskId }),
    title: task.title.trim(),
    type: task.type,
    instructions_md: taskInstructions(values, task),
    reward_points: values.rewardType === 'custom' ? 0 : task.rewardPoints,
    max_completions: task.maxCompletions,
    ...verificationPayload(task),
  };
}

/** Without a zone, the server would interpret the time in its own. */
const toIso = (local: string) => (local === '' ? null : new Date(local).toISOString());

/** Fields shared by creating and editing; null clears the stored value. */
function termsPayload(values: QuestFormValues) {
  const { enableCustomReward } = rewardParts(values.rewardType);
  const purpose = values.emailCollectionPurpose.trim();
  return {
    title: values.title.trim(),
    custom_reward_title: enableCustomReward ? values.customRewardTitle.trim() : null,
    custom_reward_description: enableCustomReward ? values.customRewardDescription.trim() : null,
    collect_emails: values.collectEmail,
    email_collection_purpose: values.collectEmail && purpose !== '' ? purpose : null,
    starts_at: toIso(values.startsAt),
    ends_at: toIso(values.endsAt),
    review_hours: values.reviewHours,
  };
}

/** Arguments of create_quest (QNEW-18, QNEW-19, C-33, C-36). */
export function createPayload(values: QuestFormValues) {
  const [task = emptyTask] = values.tasks;
  return {
    quest: {
      ...termsPayload(values),
      summary: questSummary(task.instructions),
      // The founder's text only; the terms are shown from the quest's data (C-71).
      details_md: task.instructions.trim(),
    },
    task: taskPayload(values, { ...task, title: values.title }),
  };
}

/** Arguments of update_campaign; tasks in their new order, those left out are deleted (QEDIT-14). */
export function updatePayload(values: QuestFormValues) {
  return {
    quest: {
      ...termsPayload(values),
      summary: values.summary.trim(),
      details_md: values.details.trim(),
      budget_points: values.rewardType === 'custom' ? 0 : values.budgetPoints,
    },
    tasks: values.tasks.map((task) => taskPayload(values, task)),
  };
}

export type CreatePayload = ReturnType<typeof createPayload>;
export type UpdatePayload = ReturnType<typeof updatePayload>;

/** Pending proofs of stored tasks that the form has removed: saving has to decide them (C-98). */
export function removedWaiting({ tasks }: Pick<QuestFormValues, 'tasks'>, stored: readonly Task[]): number {
  const kept = new Set(tasks.map(({ taskId }) => taskId));
  return stored.reduce((sum, task) => sum + (kept.has(task.id) ? 0 : task.pending_count), 0);
}

/** Without look-alikes: no 0 and O, no 1, I and L. */
const codeAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const codeLength = 10;

/** Generates distinct random codes, such as 'ABCDE-FGHJK'. */
export function newCompletionCodes(count: number): string[] {
  const codes = new Set<string>();
  while (codes.size < count) codes.add(newCode());
  return [...codes];
}

/**
 * Rejection sampling: bytes beyond the last whole multiple of the alphabet's size are discarded, so that all letters
 * are equally likely.
 */
function newCode(): string {
  let code = '';
  while (code.length < codeLength) {
    for (const byte of crypto.getRandomValues(new Uint8Array(codeLength * 2))) {
      if (code.length < codeLength && byte < 256 - (256 % codeAlphabet.length))
        code += codeAlphabet[byte % codeAlphabet.length];
    }
  }
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}
