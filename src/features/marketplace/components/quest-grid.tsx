import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { EmptyState, NoResults } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import {
  type HubView,
  isInView,
  QuestCard,
  QuestCardSkeleton,
  type QuestListItem,
  type QuestSlots,
  questQueries,
  type SlotsById,
  slotsOf,
} from '@/features/quests';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';

export const cardGridClass = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3';

const empty = {
  active: {
    title: 'No active quests available',
    text: 'New quests are pinned here as soon as a project publishes one.',
    action: { to: paths.browse('projects'), label: 'Meet the projects' },
  },
  completed: {
    title: 'No completed quests yet',
    text: 'Quests move here when all their spots are taken.',
    action: { to: paths.browse(), label: 'See active quests' },
  },
} as const;

type QuestGridProps = {
  quests: HubQuest[];
  view: HubView;
  isWaiting: boolean;
  isFiltered: boolean;
  onReset: () => void;
};

/** The cards of a view, or what stands in their place (HUB-07). */
export function QuestGrid({ quests, view, isWaiting, isFiltered, onReset }: QuestGridProps) {
  if (isWaiting) {
    return (
      <ul aria-busy="true" aria-label="Loading quests" className={cardGridClass}>
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <QuestCardSkeleton key={key} />
        ))}
      </ul>
    );
  }
  if (quests.length === 0) {
    const { title, text, action } = empty[view];
    if (isFiltered)
      return <NoResults title={title} text="Nothing on the board matches your search." onReset={onReset} />;
    return (
      <EmptyState
        title={title}
        text={text}
        action={
          <Button variant="secondary" asChild>
            <Link to={action.to}>{action.label}</Link>
          </Button>
        }
      />
    );
  }
  return (
    <>
      <VisuallyHidden>
        <span role="status">{formatCount(quests.length, 'quest')} shown</span>
      </VisuallyHidden>
      <ul className={cardGridClass}>
        {quests.map(({ quest, slots }) => (
          <QuestCard key={quest.id} quest={quest} slots={slots} level={2} />
        ))}
      </ul>
    </>
  );
}

/** A quest of the hub with its slots; undefined while they load, null when the statistics do not name it. */
type HubQuest = { quest: QuestListItem; slots: QuestSlots | null | undefined };

type PageStats = { data: SlotsById | undefined; isError: boolean };

/** Slots of a quest by what is known of its page's statistics; a failed refresh keeps the last known numbers. */
function slotsIn({ data, isError }: PageStats, questId: string): QuestSlots | null | undefined {
  if (data) return slotsOf(questId, data);
  return isError ? slotsOf(questId, 'failed') : undefined;
}

/** The quests of a view, with statistics read page by page, because one request answers for 200 quests at most. */
export function useHubQuests(view: HubView, filters: { search: string; sort: 'new' | 'reward' }) {
  const list = useInfiniteQuery(questQueries.pages(filters));
  const pages = list.data?.pages ?? [];
  const stats = useQueries({ queries: pages.map((page) => questQueries.stats(page.map(({ id }) => id))) });

  const quests = pages.flatMap((page, index) =>
    page.map(
      (quest): HubQuest => ({ quest, slots: slotsIn(stats[index] ?? { data: undefined, isError: false }, quest.id) }),
    ),
  );
  const isWaiting = list.isPending || quests.some(({ slots }) => slots === undefined);
  return {
    list,
    /** True until the first quests and their slots are known: before that no view can be told. */
    isWaiting,
    quests: isWaiting ? [] : quests.filter(({ slots }) => isInView(view, slots ?? null)),
    failedStats: stats.filter(({ isError, data }) => isError && !data),
  };
}
