import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Project, projectQueries } from '@/features/projects';
import { type Quest, questQueries, type Task, type TaskCounts } from '@/features/quests';
import { type Submission, submissionQueries } from '@/features/submissions';
import { useSession } from '@/lib/auth';
import { poll } from '@/lib/query-client';
import { isUuid } from '@/lib/uuid';

/** Who looks at a quest: that decides what they see of it. */
export type Viewer = 'visitor' | 'participant' | 'owner';

export type QuestView = {
  quest: Quest;
  tasks: Task[];
  /** Null when the project is not public (any more). */
  project: Project | null;
  viewer: Viewer;
  userId: string | null;
  /** The member's submissions; empty for visitors and owners. */
  submissions: Submission[];
  /** Fresh counts by task id; a task without an entry goes by its own row. */
  counts: Record<string, TaskCounts>;
  /** Reload what a submission has changed. */
  reload: () => void;
};

export type QuestState =
  | { status: 'loading' }
  | { status: 'missing' }
  | { status: 'failed'; error: Error; retry: () => void; isRetrying: boolean }
  | { status: 'ready'; view: QuestView };

/** Everything that the page of a quest shows, for who looks at it. */
export function useQuest(id: string): QuestState {
  const session = useSession();
  const queryClient = useQueryClient();
  // An address that no quest can have must not become a database error.
  const isPossible = isUuid(id);
  const quest = useQuery({ ...questQueries.detail(id), ...poll(60), enabled: isPossible });
  const tasks = useQuery({ ...questQueries.tasks(id), enabled: isPossible });
  const project = useQuery({
    ...projectQueries.detail(quest.data?.startup_id ?? ''),
    enabled: Boolean(quest.data),
  });
  const { userId } = session;
  const isOwner = userId !== null && project.data?.owner_user_id === userId;
  const mine = useQuery({
    ...submissionQueries.mine(userId ?? '', id),
    enabled: userId !== null && isPossible && project.isFetched && !isOwner,
  });
  const counts = useQuery(questQueries.taskCounts(tasks.data?.map((task) => task.id) ?? []));

  if (!isPossible || quest.data === null) return { status: 'missing' };

  const needed = [quest, tasks, project, ...(userId && !isOwner ? [mine] : [])];
  const failed = needed.find((query) => query.isError && query.data === undefined);
  if (failed?.error) {
    return {
      status: 'failed',
      error: failed.error,
      retry: () => needed.filter((query) => query.isError).map((query) => query.refetch()),
      isRetrying: needed.some((query) => query.isError && query.isFetching),
    };
  }
  // The session counts as loading, too: a member must not see the visitors' view flash by.
  const isComplete = needed.every((query) => query.data !== undefined) && session.status !== 'loading';
  if (!isComplete || !quest.data || !tasks.data) return { status: 'loading' };

  return {
    status: 'ready',
    view: {
      quest: quest.data,
      tasks: tasks.data,
      project: project.data ?? null,
      viewer: isOwner ? 'owner' : userId ? 'participant' : 'visitor',
      userId,
      submissions: mine.data ?? [],
      counts: counts.data ?? {},
      reload: () => void queryClient.invalidateQueries({ queryKey: questQueries.keys.all }),
    },
  };
}
