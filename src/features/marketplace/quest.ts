import { type Quest, questPhase, remainingSlots, type Task, type TaskCounts } from '@/features/quests';
import { canTryAgain, isAppealOpen, type Submission } from '@/features/submissions';
import { lastDays } from '@/lib/format';
import type { Viewer } from './use-quest';

/** The next action open to a viewer of a quest (C-72). */
export type NextStep =
  | {
      kind: 'join' | 'waiting' | 'appealed' | 'full' | 'upcoming' | 'ended' | 'paused' | 'closed' | 'complete' | 'none';
    }
  /** A first proof, another one after a rejection, or the next task after a completed one. */
  | { kind: 'prove' | 'retry' | 'continue'; taskId: string };

type StepTask = Pick<Task, 'id' | 'max_completions' | 'approved_count' | 'pending_count' | 'kept_count'>;

type Situation = {
  quest: Pick<Quest, 'status' | 'starts_at' | 'ends_at'>;
  /** In display order. */
  tasks: readonly StepTask[];
  viewer: Viewer;
  submissions: readonly Pick<Submission, 'task_id' | 'status' | 'kept_until' | 'appealed_at' | 'is_slot_reopened'>[];
  /** Fresh counts by task id. */
  counts: Readonly<Record<string, TaskCounts>>;
};

/** Why a quest is not listed: paused by its project, held by an admin, or over. */
const offBoard = { draft: 'paused', closed: 'closed' } as const;

export function nextStep({ quest, tasks, viewer, submissions, counts }: Situation): NextStep {
  if (viewer === 'owner' || tasks.length === 0) return { kind: 'none' };
  const phase = quest.status === 'published' ? questPhase(quest) : offBoard[quest.status];
  if (viewer === 'visitor') return { kind: phase === 'open' || phase === 'upcoming' ? 'join' : phase };

  const states = new Map(submissions.map(({ task_id, status }) => [task_id, status]));
  const countOf = (status: Submission['status']) => tasks.filter(({ id }) => states.get(id) === status).length;
  if (countOf('approved') === tasks.length) return { kind: 'complete' };

  const isFree = (task: StepTask) => remainingSlots({ ...task, ...counts[task.id] }) > 0;
  const free = phase === 'open' ? tasks.filter(isFree) : [];
  const rejected = new Map(
    submissions.filter(({ status }) => status === 'rejected').map((each) => [each.task_id, each]),
  );
  const again = (phase === 'open' ? tasks : []).find((task) => {
    const submission = rejected.get(task.id);
    return submission && canTryAgain(submission, isFree(task));
  });
  if (again) return { kind: 'retry', taskId: again.id };
  const open = free.find(({ id }) => !states.has(id));
  if (open) return { kind: countOf('approved') > 0 ? 'continue' : 'prove', taskId: open.id };
  if (countOf('pending') > 0) return { kind: 'waiting' };
  if (submissions.some(isAppealOpen)) return { kind: 'appealed' };
  return { kind: phase === 'open' ? 'full' : phase };
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

type Texts = {
  quest: Pick<Quest, 'summary' | 'details_md'>;
  tasks: readonly Pick<Task, 'instructions_md'>[];
};

/** The project's description of a quest, in Markdown; empty when its summary or a task repeats it. */
export function aboutText({ quest, tasks }: Texts): string {
  const details = plain(quest.details_md);
  const isRepeated =
    details === plain(quest.summary) || tasks.some((task) => plain(task.instructions_md).includes(details));
  return details === '' || isRepeated ? '' : quest.details_md;
}

/** The sentence under the title; empty when the description starts with it. */
export function leadText(texts: Texts): string {
  const summary = plain(texts.quest.summary).replace(/…$/, '');
  const below = [aboutText(texts), ...texts.tasks.map((task) => task.instructions_md)];
  return below.some((text) => plain(text).startsWith(summary)) ? '' : texts.quest.summary;
}

/** Submissions of one day in UTC, `day` as '2026-01-31'. */
export type DayCount = { day: string; count: number };

/** The last `days` days, today last, including empty ones; `counted`: the days with submissions. */
export function participationByDay(
  counted: readonly { day: string; submissions: number }[],
  days: number,
  now: Date,
): DayCount[] {
  const counts = new Map(counted.map(({ day, submissions }) => [day, submissions]));
  return lastDays(days, now).map((day) => ({ day, count: counts.get(day) ?? 0 }));
}
