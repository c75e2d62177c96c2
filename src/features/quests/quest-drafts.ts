import * as z from 'zod/mini';
import { createDrafts } from '@/lib/drafts';
import { emptyQuest, type QuestFormValues, rewardTypes, taskTypes } from './quest-form';
import { verifications } from './quest-templates';

const text = z.string();

/** What is kept of a new quest's form. Not its completion codes, which are secrets. */
const schema = z.object({
  selectedTemplate: z.nullable(z.number()),
  productUrl: text,
  twitterHandle: text,
  discordInvite: text,
  newsletterUrl: text,
  customInstructions: text,
  title: text,
  rewardType: z.enum(rewardTypes),
  customRewardTitle: text,
  customRewardDescription: text,
  collectEmail: z.boolean(),
  emailCollectionPurpose: text,
  startsAt: text,
  endsAt: text,
  reviewHours: z.number(),
  task: z.object({
    type: z.enum([...taskTypes, 'others']),
    instructions: text,
    rewardPoints: z.number(),
    maxCompletions: z.number(),
    verification: z.enum(verifications),
    autoVerify: z.boolean(),
    linkUrl: text,
    checkSource: z.enum(['', 'endpoint', 'github_pull_request']),
    checkTarget: text,
  }),
});

const drafts = createDrafts('quest-draft', schema);

/** The draft of a project's new quest; the form has one task. */
export const questDrafts = {
  read(userId: string, projectId: string): { values: QuestFormValues; savedAt: number } | null {
    const draft = drafts.read(userId, projectId);
    if (!draft) return null;
    const { task, ...values } = draft.values;
    const tasks = emptyQuest.tasks.map((empty) => ({ ...empty, ...task }));
    return { values: { ...emptyQuest, ...values, tasks }, savedAt: draft.savedAt };
  },
  onRemovedElsewhere: drafts.onRemovedElsewhere,
  /** Null removes the draft. */
  write(userId: string, projectId: string, values: QuestFormValues | null): void {
    const [task] = values?.tasks ?? [];
    drafts.write(userId, projectId, values && task ? { ...values, task } : null);
  },
};
