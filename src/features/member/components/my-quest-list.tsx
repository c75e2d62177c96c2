import { Link } from 'react-router-dom';
import { useCameFrom } from '@/components/page-header';
import { Points } from '@/components/points';
import { type Status, StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ProjectLogo } from '@/features/projects';
import type { MyQuest, QuestState } from '@/features/quests';
import { isAppealOpen, RejectionNotice, SentProof, taskStatus } from '@/features/submissions';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';

const stateLabels: Record<QuestState, Status> = {
  started: 'Started',
  waiting: 'In Review',
  rejected: 'Try Again',
  complete: 'Done',
};

/** Status of a started quest. 'Under Appeal' only when nothing else is waiting. */
export function questStatus({ state, submissions }: Pick<MyQuest, 'state' | 'submissions'>): Status {
  const isInReview = submissions.some(({ status }) => status === 'pending');
  return state === 'waiting' && !isInReview && submissions.some(isAppealOpen) ? 'Under Appeal' : stateLabels[state];
}

/** Button label of a started quest: the next action, or just viewing it (C-104). */
export function stepLabel({ state, can_continue }: Pick<MyQuest, 'state' | 'can_continue'>): string {
  if (!can_continue) return 'View Quest';
  return state === 'rejected' ? 'Try Again' : 'Continue Quest';
}

/** Started quests, each with its state, submissions, decisions, and the next step (BEY-21). */
export function MyQuestList({ quests }: { quests: readonly MyQuest[] }) {
  return (
    <ul className="grid gap-4">
      {quests.map((quest) => (
        <MyQuestCard key={quest.campaign_id} quest={quest} />
      ))}
    </ul>
  );
}

function MyQuestCard({ quest }: { quest: MyQuest }) {
  const from = useCameFrom();
  return (
    <Card as="li" aria-label={quest.title} className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 gap-3">
          <ProjectLogo name={quest.startup_name} logoUrl={quest.startup_logo_url} className="size-10 shrink-0" />
          <div className="min-w-0">
            <h2 className="text-xl [overflow-wrap:anywhere]">
              <Link to={paths.communityQuest(quest.campaign_id)} state={from} className="hover:underline">
                {quest.title}
              </Link>
            </h2>
            <p className="text-muted text-sm">
              {quest.startup_name}, {quest.approved_count} of {formatCount(quest.task_count, 'task')} done
            </p>
          </div>
        </div>
        <StatusBadge status={questStatus(quest)} />
      </div>
      <ol className="grid gap-3">
        {quest.submissions.map((submission) => (
          <li key={submission.task_id} className="grid gap-2">
            {quest.task_count > 1 && (
              <p className="flex flex-wrap items-center justify-between gap-2 font-medium">
                {submission.task_title}
                <StatusBadge status={taskStatus(submission)} />
              </p>
            )}
            <RejectionNotice submission={submission} />
            <SentProof submission={submission} />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="inline-flex items-center gap-1.5">
          <Points value={quest.points_earned} /> earned
        </span>
        <Button variant="secondary" className="max-sm:w-full" asChild>
          <Link to={paths.communityQuest(quest.campaign_id)} state={from}>
            {stepLabel(quest)}
          </Link>
        </Button>
      </div>
    </Card>
  );
}
