import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import {
  QuestCard,
  QuestCardSkeleton,
  type QuestListItem,
  type QuestSlots,
  questQueries,
  slotsOf,
} from '@/features/quests';
import { paths } from '@/lib/paths';
import { Section, trackCta } from './section';

const gridClass = 'grid gap-4 sm:grid-cols-2 lg:min-h-84 lg:grid-cols-3';

/** Up to three quests that one can join now (HOME-04). */
export function LiveQuests() {
  return (
    <Section
      title="Live Quests"
      lead="Open right now, with spots left."
      aside={
        <Button asChild variant="secondary">
          <Link to={paths.browse()} onClick={() => trackCta('Explore All Quests', 'live-quests')}>
            Explore All Quests <ArrowRight aria-hidden="true" />
          </Link>
        </Button>
      }
    >
      <Quests />
    </Section>
  );
}

function Quests() {
  const { quests, isWaiting, error, isRetrying, retry } = useLiveQuests();
  if (isWaiting) {
    return (
      <ul aria-busy="true" aria-label="Loading quests" className={gridClass}>
        {['a', 'b', 'c'].map((key) => (
          <QuestCardSkeleton key={key} />
        ))}
      </ul>
    );
  }
  if (error) {
    return <ErrorState title="The quests could not be loaded" error={error} onRetry={retry} isRetrying={isRetrying} />;
  }
  if (quests.length === 0) {
    return (
      <EmptyState
        level={3}
        title="No open quests right now"
        text="All spots are taken. New quests are pinned here as soon as a project publishes one."
        action={
          <Button asChild variant="secondary">
            <Link to={paths.browse('projects')}>Meet the projects</Link>
          </Button>
        }
      />
    );
  }
  return (
    <ul className={gridClass}>
      {quests.map(({ quest, slots }) => (
        <QuestCard key={quest.id} quest={quest} slots={slots} joinLabel="Join Quest" />
      ))}
    </ul>
  );
}

/** Quests that home shows at most (HOME-04). */
const liveQuestLimit = 3;

/** A quest on home with its slots; null when the statistics do not name it. */
type LiveQuest = { quest: QuestListItem; slots: QuestSlots | null };

/**
 * The newest quests with free spots, at most three; the server leaves full ones out before it counts to three (C-60).
 * Without statistics they count as full and are not shown (C-34).
 */
function useLiveQuests() {
  const list = useQuery(questQueries.list({ limit: liveQuestLimit, isOnlyOpen: true }));
  const ids = list.data?.map(({ id }) => id) ?? [];
  const stats = useQuery(questQueries.stats(ids));

  const statistics = stats.data ?? (stats.isError ? 'failed' : {});
  const quests = (list.data ?? [])
    .map((quest): LiveQuest => ({ quest, slots: slotsOf(quest.id, statistics) }))
    .filter(({ slots }) => !slots?.is_quest_full);
  const failed = [list, stats].filter(({ isError, data }) => isError && !data);
  return {
    quests,
    isWaiting: list.isPending || (ids.length > 0 && stats.isPending),
    error: failed[0]?.error ?? null,
    isRetrying: failed.some(({ isFetching }) => isFetching),
    retry: () => failed.map(({ refetch }) => refetch()),
  };
}
