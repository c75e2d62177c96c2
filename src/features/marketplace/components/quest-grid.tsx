import { memo, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState, NoResults } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import {
  QuestCard,
  QuestCardSkeleton,
  type QuestListItem,
  type QuestState,
  SaveQuestButton,
  useOwnQuestStates,
  useSavedQuestIds,
} from '@/features/quests';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useUrlReset } from '@/lib/url-state';
import { facetNames } from './quest-facets';

/** Active shows quests with free spots, Completed those without (HUB-08). */
export const hubViews = ['active', 'completed'] as const;
type HubView = (typeof hubViews)[number];

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
  pages: readonly (readonly QuestListItem[])[];
  /** Most cards to render; the rest follows. */
  limit: number;
  view: HubView;
  isFiltered: boolean;
  isDoneHidden: boolean;
  hasMore: boolean;
  /** Loads the next page; null when there is none, or when it has failed. */
  loadMore: (() => void) | null;
};

/** Without the quests that are done and hidden, a page may have no card left: the next ones are loaded until there are this many. */
const minVisible = 12;

const resetNames = ['q', 'sort', ...facetNames];

/** The cards of a view, completed quests at the end, or the empty state (HUB-07, BEY-21). */
export const QuestGrid = memo(function QuestGrid({
  pages,
  limit,
  view,
  isFiltered,
  isDoneHidden,
  hasMore,
  loadMore,
}: QuestGridProps) {
  const states = useOwnQuestStates();
  const savedIds = useSavedQuestIds();
  const reset = useUrlReset(resetNames);
  const quests = pages.flat();
  const isDone = ({ id }: QuestListItem) => states[id] === 'complete';
  const open = quests.filter((quest) => !isDone(quest));
  const done = isDoneHidden ? [] : quests.filter(isDone);
  const isScarce = isDoneHidden && open.length < minVisible;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that arrives may be followed by another
  useEffect(() => {
    if (isScarce) loadMore?.();
  }, [isScarce, loadMore, pages]);
  const count = open.length + done.length;
  // Nothing is called empty while there may be more of it.
  if (count === 0 && hasMore)
    return loadMore ? <QuestGridSkeleton /> : <p role="alert">More quests could not be loaded.</p>;
  // Also rendered without quests.
  const status = <ShownCount count={count} noun="quest" />;
  if (count === 0) {
    const { title, text, action } = empty[view];
    return (
      <>
        {status}
        {isFiltered ? (
          <NoResults title={title} text="Nothing on the board matches your search and filters." onReset={reset} />
        ) : (
          <EmptyState
            title={title}
            text={text}
            action={
              <Button variant="secondary" asChild>
                <Link to={action.to}>{action.label}</Link>
              </Button>
            }
          />
        )}
      </>
    );
  }
  return (
    <>
      {status}
      {open.length > 0 && (
        <ul aria-busy={limit < open.length} className="card-grid">
          {open.slice(0, limit).map((quest) => (
            <OpenQuest key={quest.id} quest={quest} state={states[quest.id]} isSaved={savedIds.includes(quest.id)} />
          ))}
        </ul>
      )}
      {done.length > 0 && limit > open.length && (
        <section aria-labelledby="done-quests" className="grid gap-4">
          <h2 id="done-quests" className="text-xl">
            Done by you
          </h2>
          <ul className="card-grid">
            {done.map((quest) => (
              <QuestCard key={quest.id} quest={quest} state="complete" />
            ))}
          </ul>
        </section>
      )}
    </>
  );
});

type OpenQuestProps = { quest: QuestListItem; state: QuestState | undefined; isSaved: boolean };

const OpenQuest = memo(function OpenQuest({ quest, state, isSaved }: OpenQuestProps) {
  const corner = <SaveQuestButton quest={quest} isStored={isSaved} isCompact />;
  return <QuestCard quest={quest} state={state} level={2} corner={corner} />;
});

/** Tells screen readers how many results there are. It stays rendered without any: a status that disappears is not read out. */
export function ShownCount({ count, noun }: { count: number; noun: string }) {
  return (
    <VisuallyHidden>
      <span role="status">{formatCount(count, noun)} shown</span>
    </VisuallyHidden>
  );
}

export function QuestGridSkeleton() {
  return (
    <ul aria-busy="true" aria-label="Loading quests" className="card-grid">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <QuestCardSkeleton key={key} />
      ))}
    </ul>
  );
}
