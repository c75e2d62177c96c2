import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Startup, startupQueries } from '@/features/projects';
import { type Campaign, campaignQueries, questQueries, type Task, type TaskCounts } from '@/features/quests';
import { type Submission, submissionQueries } from '@/features/submissions';
import { useSession } from '@/lib/auth';
import { poll } from '@/lib/query-client';
import { isUuid } from '@/lib/uuid';

/** Who looks at a quest: that decides what they see of it. */
export type Viewer = 'visitor' | 'participant' | 'owner';

export type QuestView = {
  campaign: Campaign;
  tasks: Task[];
  /** Null when the project is not public (any more). */
  startup: Startup | null;
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
  const campaign = useQuery({ ...campaignQueries.detail(id), ...poll(60), enabled: isPossible });
  const tasks = useQuery({ ...campaignQueries.tasks(id), enabled: isPossible });
  const startup = useQuery({
    ...startupQueries.detail(campaign.data?.startup_id ?? ''),
    enabled: Boolean(campaign.data),
  });
  const { userId } = session;
  const isOwner = userId !== null && startup.data?.owner_user_id === userId;
  const mine = useQuery({
    ...submissionQueries.mine(userId ?? '', id),
    enabled: userId !== null && isPossible && startup.isFetched && !isOwner,
  });
  const counts = useQuery(questQueries.taskCounts(tasks.data?.map((task) => task.id) ?? []));

  if (!isPossible || campaign.data === null) return { status: 'missing' };

  const needed = [campaign, tasks, startup, ...(userId && !isOwner ? [mine] : [])];
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
  if (!isComplete || !campaign.data || !tasks.data) return { status: 'loading' };

  return {
    status: 'ready',
    view: {
      campaign: campaign.data,
      tasks: tasks.data,
      startup: startup.data ?? null,
      viewer: isOwner ? 'owner' : userId ? 'participant' : 'visitor',
      userId,
      submissions: mine.data ?? [],
      counts: counts.data ?? {},
      reload: () => void queryClient.invalidateQueries({ queryKey: questQueries.keys.all }),
    },
  };
}
