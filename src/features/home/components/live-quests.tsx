import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
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
  const { needed, quests } = useLiveQuests();
  return (
    <QueryView query={needed} failure="The quests could not be loaded" pending={<QuestsLoading />}>
      {() => (quests.length === 0 ? <NoLiveQuests /> : <QuestCards quests={quests} />)}
    </QueryView>
  );
}

function QuestsLoading() {
  return (
    <ul aria-busy="true" aria-label="Loading quests" className={gridClass}>
      {['a', 'b', 'c'].map((key) => (
        <QuestCardSkeleton key={key} />
      ))}
    </ul>
  );
}

function NoLiveQuests() {
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

function QuestCards({ quests }: { quests: LiveQuest[] }) {
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
  // Without quests there are no statistics to wait for.
  return { needed: ids.length > 0 ? [list, stats] : [list], quests };
}
