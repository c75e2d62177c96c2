import { ArrowRight, ArrowUp, FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { MainAction } from '@/components/main-action';
import { useCameFrom } from '@/components/page-header';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Progress } from '@/components/ui/progress';
import { suggestionText, type Task, useSuggestedQuests } from '@/features/quests';
import { useIsBeta } from '@/features/settings';
import type { Submission } from '@/features/submissions';
import { cn } from '@/lib/cn';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import type { NextStep } from '../quest';
import type { QuestView } from '../use-quest';

/** The member's progress (QUEST-08), and a link to the next task after a completed one (QUEST-09, C-72). */
export function ProgressCard({ view, step }: { view: QuestView; step: NextStep }) {
  const isBeta = useIsBeta();
  const { done, total, earned } = questProgress(view.tasks, view.submissions);
  const text = `${done} of ${formatCount(total, 'task')}`;
  return (
    <Card as="section" aria-labelledby="your-progress" className={cn('grid gap-3', done > 0 && 'max-lg:order-first')}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="your-progress" className="text-xl">
          Your Progress
        </h2>
        {isBeta && (
          <Badge tone="points">
            <FlaskConical aria-hidden="true" />
            BETA MODE
          </Badge>
        )}
      </div>
      <Progress label="Your progress" value={done} max={Math.max(total, 1)} valueText={text} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-muted tabular-nums">{text}</span>
        <span className="inline-flex items-center gap-1.5">
          <Points value={earned} /> earned
        </span>
      </div>
      {step.kind === 'complete' && <StatusBadge status="Quest Complete" className="animate-stamp justify-self-start" />}
      {step.kind === 'continue' && (
        <MainAction>
          <Button onClick={() => goToTask(step.taskId)}>
            <ArrowUp aria-hidden="true" />
            Continue Quest
          </Button>
        </MainAction>
      )}
    </Card>
  );
}

/** Scrolls to a task and focuses it. */
function goToTask(taskId: string): void {
  const card = document.getElementById(taskAnchor(taskId));
  card?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  card?.focus({ preventScroll: true });
}

const endings = {
  complete: { title: 'Quest Complete', text: 'All tasks are done and your points are in your wallet.' },
  waiting: {
    title: 'Waiting for review',
    text: 'Your proof is being reviewed. There is nothing to do here until it is decided.',
  },
  appealed: {
    title: 'Your appeal is being reviewed',
    text: 'We answer here and in your notifications. There is nothing to do here until then.',
  },
  full: { title: 'No spots left', text: 'All spots were taken. If one opens up, it will show here.' },
  upcoming: { title: 'Not open yet', text: 'Proofs open when it starts. Save it to find it under My quests.' },
  ended: {
    title: 'This quest is over',
    text: 'No more proofs are accepted. Those already sent will still be reviewed.',
  },
  paused: { title: 'This quest is paused', text: 'No proofs are accepted for now. What you have sent is kept.' },
  closed: { title: 'This quest is closed', text: 'No more proofs are accepted.' },
} as const;

/** After the last task: what happens now, and the next quest (QUEST-09, C-72). */
export function WhatNext({ step }: { step: NextStep }) {
  const isEnd = step.kind in endings;
  const { data: suggested, isPending } = useSuggestedQuests(isEnd);
  const from = useCameFrom();
  if (!isEnd) return null;
  const { title, text } = endings[step.kind as keyof typeof endings];
  const [next] = suggested ?? [];
  const reason = next && suggestionText(next);
  const more = <Link to={paths.community}>Find More Quests</Link>;
  return (
    <Card as="section" aria-labelledby="what-next" className="grid justify-items-start gap-4 border-action">
      <div>
        <h2 id="what-next" className="text-2xl">
          {title}
        </h2>
        <p className="text-muted">{text}</p>
      </div>
      <div className="flex w-full min-w-0 flex-wrap gap-3 empty:hidden max-sm:[&>*]:grow">
        {next && (
          <MainButton>
            <Link to={paths.communityQuest(next.id)} state={from} className="min-w-0">
              <span className="min-w-0 truncate">Next: {next.title}</span>{' '}
              {next.reward_points > 0 && (
                <span className="shrink-0 tabular-nums">{formatCount(next.reward_points, 'point')}</span>
              )}
              <ArrowRight aria-hidden="true" />
            </Link>
          </MainButton>
        )}
        {next || isPending ? (
          <Button variant="secondary" asChild>
            {more}
          </Button>
        ) : (
          <MainButton>{more}</MainButton>
        )}
        {step.kind === 'complete' && (
          <Button variant="secondary" asChild>
            <Link to={paths.rewards}>View Wallet</Link>
          </Button>
        )}
      </div>
      {reason && (
        <p className="min-w-0 text-muted text-sm [overflow-wrap:anywhere]">
          {/* Phones have the button that names it at the bottom of the screen. */}
          <span className="sm:hidden">Next is “{next.title}”. </span>
          {`${reason}.`}
        </p>
      )}
    </Card>
  );
}

function MainButton({ children }: { children: ReactNode }) {
  return (
    <MainAction>
      <Button asChild>{children}</Button>
    </MainAction>
  );
}

type QuestProgress = {
  done: number;
  total: number;
  /** Points of the approved submissions, as promised when they were made. */
  earned: number;
};

/** A member's progress in a quest (C-39). */
export function questProgress(
  tasks: readonly Pick<Task, 'id'>[],
  submissions: readonly Pick<Submission, 'task_id' | 'status' | 'reward_points'>[],
): QuestProgress {
  const ids = new Set(tasks.map(({ id }) => id));
  const approved = submissions.filter(({ status, task_id }) => status === 'approved' && ids.has(task_id));
  return {
    done: approved.length,
    total: tasks.length,
    earned: approved.reduce((sum, { reward_points }) => sum + reward_points, 0),
  };
}

/** Id of a task's card in the page, for links and for scrolling to it. */
export function taskAnchor(taskId: string): string {
  return `task-${taskId}`;
}
