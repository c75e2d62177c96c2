import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Project, projectQueries } from '@/features/projects';
import { type Quest, questQueries, type Task, type TaskCounts } from '@/features/quests';
import { type Submission, submissionQueries } from '@/features/submissions';
import { useSession } from '@/lib/auth';
import { isUuid } from '@/lib/paths';

/** Kind of viewer, which decides what they see of a quest. */
export type Viewer = 'visitor' | 'participant' | 'owner';

export type QuestView = {
  quest: Quest;
  tasks: Task[];
  /** Null when the project is not public. */
  project: Project | null;
  viewer: Viewer;
  userId: string | null;
  /** The member's submissions; empty for visitors and owners. */
  submissions: Submission[];
  /** Fresh counts by task id; a task without an entry goes by its own row. */
  counts: Record<string, TaskCounts>;
};

/** The data of the quest page: its queries, and `view` once they have all loaded. */
export function useQuest(id: string) {
  const session = useSession();
  // An invalid id in the URL must not become a database error.
  const isPossible = isUuid(id);
  const current = useQuery({ ...questQueries.detailLive(id), enabled: isPossible });
  const currentTasks = useQuery({ ...questQueries.tasks(id), enabled: isPossible });
  useRefetchAfterEdit(current.data, currentTasks.refetch);
  // No longer published: participants still read the last published version.
  const isGone = isPossible && current.data === null && session.userId !== null;
  const kept = useQuery({ ...questQueries.participated(id), enabled: isGone });
  const quest = isGone ? { ...kept, data: kept.data === undefined ? undefined : (kept.data?.quest ?? null) } : current;
  const tasks = isGone ? { ...kept, data: kept.data?.tasks } : currentTasks;
  const project = useQuery({
    ...projectQueries.detail(quest.data?.startup_id ?? ''),
    enabled: Boolean(quest.data),
  });
  const { userId } = session;
  const own = useQuery({ ...projectQueries.own(userId ?? ''), enabled: userId !== null });
  const isOwner = Boolean(own.data && own.data.id === quest.data?.startup_id);
  const mine = useQuery({
    ...submissionQueries.mine(userId ?? '', id),
    enabled: userId !== null && isPossible && quest.isFetched && own.isFetched && !isOwner,
  });
  const counts = useQuery(questQueries.taskCounts(tasks.data?.map((task) => task.id) ?? []));

  const needed = [quest, tasks, project, ...(userId ? [own] : []), ...(userId && !isOwner ? [mine] : [])];
  // Also waits for the session, so that a member does not see the visitors' view flash.
  const isComplete = needed.every((query) => query.data !== undefined) && session.status !== 'loading';
  const view: QuestView | null =
    isComplete && quest.data && tasks.data
      ? {
          quest: quest.data,
          tasks: tasks.data,
          project: project.data ?? null,
          viewer: isOwner ? 'owner' : userId ? 'participant' : 'visitor',
          userId,
          submissions: mine.data ?? [],
          counts: counts.data ?? {},
        }
      : null;
  return { needed, view, isMissing: !isPossible || (quest.data === null && session.status !== 'loading') };
}

/** Refetches the tasks when the quest, which is polled, turns out to have been edited: no other time changes them. */
function useRefetchAfterEdit(quest: Quest | null | undefined, refetchTasks: () => unknown) {
  const known = useRef(quest);
  useEffect(() => {
    if (!quest) return;
    const before = known.current;
    known.current = quest;
    if (before?.id === quest.id && before.updated_at !== quest.updated_at) void refetchTasks();
  }, [quest, refetchTasks]);
}
