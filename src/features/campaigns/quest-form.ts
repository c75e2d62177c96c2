import { isOpenable, linkAddress } from './link-fields';
import { findTemplate, questTemplates, type TemplateField, type Verification } from './quest-templates';

/** What members get (QNEW-12). Cash is announced, not offered. */
export const rewardTypes = ['points', 'custom', 'both'] as const;
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
export function linkProblem(values: QuestFormValues): { field: TemplateField; message: string } | null {
  const template = findTemplate(values.selectedTemplate);
  if (!template) return null;
  const field = template.requires;
  const label = template.requiresLabel;
  if (values[field].trim() === '') return { field, message: `Please fill in: ${label}` };
  const address = linkAddress(field, values[field]);
  if (address !== null && !isOpenable(address)) return { field, message: `Please check the ${label}` };
  return null;
}
