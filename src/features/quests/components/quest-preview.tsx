import { useState } from 'react';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Card } from '@/components/ui/card';
import type { Project } from '@/features/projects';
import { QuestCard, type QuestListItem } from '..';
import { type QuestFormValues, questInstructions, questSummary, questTotal, rewardParts } from '../create-form';
import { useQuestForm } from '../form-contexts';

/** The quest as members will see it, while it is being written: on the board, then its task. */
export function QuestPreview({ project }: { project: Project }) {
  const values = useQuestForm().watch();
  const [now] = useState(() => new Date().toISOString());
  const quest = previewQuest(values, project, now);
  const spots = values.maxParticipants;
  const purpose = values.emailCollectionPurpose.trim();

  return (
    <section aria-label="Preview" className="grid gap-4">
      {/* The card's links lead nowhere yet. */}
      <div inert>
        <QuestCard
          as="article"
          quest={quest}
          slots={{ total_slots: spots, available_slots: spots, completed_slots: 0, is_quest_full: false }}
        />
      </div>
      <Card className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="min-w-0 font-semibold [overflow-wrap:anywhere]">1. {quest.title}</p>
          <StatusBadge status="Not Started" />
        </div>
        <Markdown text={questInstructions(values) || 'What members should do appears here.'} />
        <Points value={quest.average_reward ?? 0} />
        {values.collectEmail && (
          <p className="text-muted text-sm">Asks for an e-mail address{purpose && ` for: ${purpose}`}.</p>
        )}
      </Card>
    </section>
  );
}

/** The quest that the form would create, as the quest card takes it. `now` as an ISO time. */
function previewQuest(values: QuestFormValues, project: Project, now: string): QuestListItem {
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  return {
    id: 'preview',
    title: values.title.trim() || 'Your quest',
    summary: questSummary(values.description),
    budget_points: questTotal(values),
    collect_emails: values.collectEmail,
    custom_reward_title: enableCustomReward ? values.customRewardTitle.trim() || 'Custom reward' : null,
    custom_reward_description: enableCustomReward ? values.customRewardDescription.trim() : null,
    task_count: 1,
    average_reward: enablePoints ? values.rewardAmount : 0,
    created_at: now,
    published_at: now,
    startup_id: project.id,
    startup_name: project.name,
    startup_logo_url: project.logo_url,
    startup_verified: project.status === 'verified',
    cursor: '',
  };
}
