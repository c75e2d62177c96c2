import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { QuestCard, QuestCardSkeleton, questQueries, slotsOf } from '@/features/quests';
import { paths } from '@/lib/paths';

/** Quests that are loaded, and how many of them are shown (DASH-03). */
const loaded = 6;
const shown = 3;

/** The newest quests on the board (DASH-03). */
export function RecentQuests() {
  const quests = useQuery(questQueries.list({ limit: loaded }));
  const list = quests.data?.slice(0, shown) ?? [];
  const stats = useQuery(questQueries.stats(list.map(({ id }) => id)));
  const slots = (id: string) => (stats.isPending ? undefined : slotsOf(id, stats.data ?? 'failed'));
  return (
    <section aria-labelledby="recent-quests" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="recent-quests" className="text-2xl">
          Recent Quests
        </h2>
        <Button variant="link" asChild>
          <Link to={paths.browse()}>All quests</Link>
        </Button>
      </div>
      {quests.isError && !quests.data && (
        <ErrorState
          title="The quests could not be loaded"
          error={quests.error}
          onRetry={() => void quests.refetch()}
          isRetrying={quests.isFetching}
        />
      )}
      {quests.data?.length === 0 && (
        <EmptyState
          level={3}
          title="No quests on the board yet"
          text="They appear here as soon as a project publishes one."
        />
      )}
      {(quests.isPending || list.length > 0) && (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3" aria-busy={quests.isPending}>
          {quests.isPending
            ? ['first', 'second', 'third'].map((key) => <QuestCardSkeleton key={key} />)
            : list.map((quest) => <QuestCard key={quest.id} quest={quest} slots={slots(quest.id)} />)}
        </ul>
      )}
    </section>
  );
}
