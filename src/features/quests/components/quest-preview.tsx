import { Gift } from 'lucide-react';
import { useState } from 'react';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Card } from '@/components/ui/card';
import type { Project } from '@/features/projects';
import { QuestCard } from '..';
import { type QuestFormValues, questSummary, rewardParts, taskInstructions } from '../quest-form';
import type { QuestBounds } from '../quest-problems';
import { useQuestBounds, useQuestValue } from '../use-quest-form';

/** Live preview of the quest as members will see it: card, then page (BEY-07). */
export function QuestPreview({ project }: { project: Project }) {
  const values = useQuestValue((all) => all);
  const bounds = useQuestBounds();
  const [now] = useState(() => new Date().toISOString());
  const quest = previewQuest(values, bounds, project, now);
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  const purpose = values.emailCollectionPurpose.trim();
  const isNew = bounds.stored === null;

  return (
    <section aria-label="Preview" className="grid gap-4">
      {/* Inert, because the card's links have no target yet. */}
      <div inert>
        <QuestCard as="article" quest={quest} />
      </div>
      <Card className="grid gap-4">
        <div className="grid gap-2">
          <p className="font-display font-semibold text-xl [overflow-wrap:anywhere]">{quest.title}</p>
          {enablePoints && <Points value={quest.reward_points} />}
          {!isNew && values.details.trim() !== '' && <Markdown text={values.details} />}
        </div>
        {enableCustomReward && (
          <div className="grid gap-1 border-t pt-4">
            <p className="flex items-center gap-2 font-semibold">
              <Gift aria-hidden="true" className="size-4 shrink-0 text-action" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{quest.custom_reward_title}</span>
            </p>
            <p className="text-muted text-sm [overflow-wrap:anywhere]">{values.customRewardDescription}</p>
          </div>
        )}
        {values.tasks.map((task, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved task has no other key
          <div key={index} className="grid gap-2 border-t pt-4">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="min-w-0 font-semibold [overflow-wrap:anywhere]">
                {index + 1}. {(isNew ? quest.title : task.title.trim()) || 'Task title'}
              </p>
              <StatusBadge status="Not Started" />
            </div>
            <Markdown text={taskInstructions(values, task) || 'What members should do appears here.'} />
            {enablePoints && <Points value={task.rewardPoints} />}
          </div>
        ))}
        {values.collectEmail && (
          <p className="text-muted text-sm">Asks for an e-mail address{purpose && ` for: ${purpose}`}.</p>
        )}
      </Card>
    </section>
  );
}

/** The form's values as props of the quest card. `now` as an ISO time. */
function previewQuest(values: QuestFormValues, { stored }: QuestBounds, project: Project, now: string) {
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  const slots = values.tasks.reduce((sum, task) => sum + task.maxCompletions, 0);
  const taken = stored ? stored.quest.approved_count + stored.quest.pending_count + stored.quest.kept_count : 0;
  return {
    id: 'preview',
    title: values.title.trim() || 'Your quest',
    summary: stored ? values.summary.trim() : questSummary(values.tasks[0]?.instructions ?? ''),
    custom_reward_title: enableCustomReward ? values.customRewardTitle.trim() || 'Custom reward' : null,
    task_count: values.tasks.length,
    reward_points: enablePoints ? values.tasks.reduce((sum, task) => sum + task.rewardPoints, 0) : 0,
    total_slots: slots,
    open_slots: Math.max(0, slots - taken),
    is_full: slots <= taken,
    published_at: stored?.quest.published_at ?? now,
    review_hours: values.reviewHours,
    starts_at: values.startsAt || null,
    ends_at: values.endsAt || null,
    startup_id: project.id,
    startup_name: project.name,
    startup_logo_url: project.logo_url,
    startup_verified: project.status === 'verified',
  };
}
