import { formatCount, formatPoints } from '@/lib/format';
import { linkAddress } from './link-fields';
import { type QuestFormValues, rewardParts } from './quest-form';
import { findTemplate } from './quest-templates';

/** Arguments of create_quest; names as the procedure reads them. */
export type QuestPayload = {
  campaign: {
    title: string;
    summary: string;
    details_md: string;
    custom_reward_title?: string;
    custom_reward_description?: string;
    collect_emails: boolean;
    email_collection_purpose?: string;
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

/** What one participant gets, in words: '25 points', 'Early access', or both. */
function rewardInWords(values: QuestFormValues): string {
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  return [
    enablePoints && `${formatPoints(values.rewardAmount)} ${values.rewardAmount === 1 ? 'point' : 'points'}`,
    enableCustomReward && (values.customRewardTitle.trim() || 'Custom reward'),
  ]
    .filter(Boolean)
    .join(' + ');
}

/** The quest's details in Markdown, with reward per person, distribution and max participants (QNEW-13). */
export function questDetails(values: QuestFormValues): string {
  return [
    values.description.trim(),
    [
      `- **Reward per person:** ${rewardInWords(values)}`,
      '- **Distribution:** First come, first serve',
      `- **Max participants:** ${formatCount(values.maxParticipants, 'person', 'people')}`,
    ].join('\n'),
  ].join('\n\n');
}

/** Maps the form to what create_quest takes (QNEW-18, QNEW-19, C-33, C-36). */
export function questPayload(values: QuestFormValues): QuestPayload {
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  const title = values.title.trim();
  const purpose = values.emailCollectionPurpose.trim();
  return {
    campaign: {
      title,
      summary: questSummary(values.description),
      details_md: questDetails(values),
      ...(enableCustomReward && {
        custom_reward_title: values.customRewardTitle.trim(),
        custom_reward_description: values.customRewardDescription.trim(),
      }),
      collect_emails: values.collectEmail,
      ...(values.collectEmail && purpose !== '' && { email_collection_purpose: purpose }),
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
