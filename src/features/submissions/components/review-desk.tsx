import { useInfiniteQuery } from '@tanstack/react-query';
import { Flag, List, SquareMenu } from 'lucide-react';
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react';
import { EmptyState, NoResults } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { SearchBox } from '@/components/search-box';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { UrlSelect } from '@/components/url-select';
import { formatNumber } from '@/lib/format';
import { useUrlChoice, useUrlReset, useUrlText } from '@/lib/url-state';
import { useMediaQuery } from '@/lib/use-media-query';
import {
  type ReviewCounts,
  type ReviewedSubmission,
  type ReviewFilters,
  reviewSorts,
  reviewStatuses,
  submissionQueries,
} from '../queries';
import { type ReviewView, ReviewWorkspace } from './review-workspace';

const filterNames = ['status', 'q', 'quest', 'show', 'task'];

type ReviewDeskProps = {
  /** The review list of one quest, or of all quests. */
  questId: string | null;
  taskId?: string | null;
  counts: readonly ReviewCounts[];
  empty: ReactNode;
};

/** Submissions of one quest or of all, filtered and sorted by the server, with the filters in the URL (BEY-01). */
export function ReviewDesk({ questId, taskId = null, counts, empty }: ReviewDeskProps) {
  const isPhone = !useMediaQuery('(min-width: 48rem)');
  const [status, setStatus] = useUrlChoice(
    'status',
    questId ? ['all', ...reviewStatuses] : ['pending', 'approved', 'rejected', 'all'],
  );
  const [search, setSearch] = useUrlText('q');
  const [quest, setQuest] = useUrlText('quest');
  const [shown, setShown] = useUrlChoice('show', ['all', 'flagged']);
  const [sort, setSort] = useUrlChoice('sort', reviewSorts);
  // The page of a quest starts with the table; on a phone, where the table becomes cards, with one proof at a time.
  const [view, setView] = useUrlChoice<ReviewView>(
    'view',
    questId && !isPhone ? ['table', 'proofs'] : ['proofs', 'table'],
  );
  const reset = useUrlReset(filterNames);

  const chosenQuest = counts.find(({ campaign_id }) => campaign_id === quest)?.campaign_id ?? null;
  const isFlagged = shown === 'flagged';
  const filters: ReviewFilters = {
    questId: questId ?? chosenQuest,
    taskId,
    status: status === 'all' ? null : status,
    isFlagged,
    search: useDeferredValue(search),
    sort,
  };
  const list = useInfiniteQuery(submissionQueries.review(filters));
  const ofScope = counts.filter(({ campaign_id }) => campaign_id === (filters.questId ?? campaign_id));
  const sum = (key: 'pending_count' | 'approved_count' | 'rejected_count' | 'flagged_count') =>
    ofScope.reduce((total, row) => total + row[key], 0);
  const totals = { pending: sum('pending_count'), approved: sum('approved_count'), rejected: sum('rejected_count') };
  // Somebody else's review can move a row to a later page between two fetches, so rows are deduplicated.
  const submissions = [...new Map(list.data?.pages.flat().map((row) => [row.id, row])).values()];
  const all = totals.pending + totals.approved + totals.rejected;
  const countOfStatus = status === 'all' ? all : totals[status];
  const flagged = status === 'pending' ? sum('flagged_count') : null;
  const isCounted = counts.length > 0 && search === '' && taskId === null;
  const matching = isCounted ? (isFlagged ? flagged : countOfStatus) : null;
  const unloaded = useUnloaded(matching, submissions, status, list.isPlaceholderData);
  const hasRows = submissions.length > 0;
  const [hadRows, setHadRows] = useState(false);
  if (hasRows && !hadRows) setHadRows(true);
  const isNarrowed = isFlagged || search !== '' || status !== 'all' || chosenQuest !== null;

  return (
    <div className="grid gap-4">
      <section aria-label="Filters" className="flex flex-wrap items-center gap-2">
        <SearchBox
          label="Search member, task or link"
          value={search}
          onChange={setSearch}
          className="grow sm:max-w-72"
        />
        {!questId && counts.length > 1 && (
          <UrlSelect aria-label="Quest" className="sm:w-auto sm:max-w-56" value={chosenQuest ?? ''} onChange={setQuest}>
            <option value="">All quests</option>
            {counts.map(({ campaign_id, title, pending_count }) => (
              <option key={campaign_id} value={campaign_id}>
                {title} ({formatNumber(pending_count)})
              </option>
            ))}
          </UrlSelect>
        )}
        <UrlSelect
          aria-label="Status"
          className="w-auto max-sm:grow"
          value={status}
          onChange={(next) => setStatus(statusChoices.find((known) => known === next) ?? 'all')}
        >
          <option value="pending">Pending ({formatNumber(totals.pending)})</option>
          <option value="approved">Approved ({formatNumber(totals.approved)})</option>
          <option value="rejected">Rejected ({formatNumber(totals.rejected)})</option>
          <option value="all">All ({formatNumber(all)})</option>
        </UrlSelect>
        <Button
          variant={isFlagged ? 'primary' : 'secondary'}
          aria-pressed={isFlagged}
          onClick={() => setShown(isFlagged ? 'all' : 'flagged')}
        >
          <Flag aria-hidden="true" />
          Flagged only
        </Button>
        <fieldset className="ml-auto flex">
          <legend className="sr-only">View</legend>
          <ViewButton icon={SquareMenu} label="Proofs" isOn={view === 'proofs'} onClick={() => setView('proofs')} />
          <ViewButton icon={List} label="Table" isOn={view === 'table'} onClick={() => setView('table')} />
        </fieldset>
      </section>
      <QueryView
        query={list}
        failure="The submissions could not be loaded"
        pending={<Spinner label="Loading submissions..." />}
      >
        {() => {
          if (hasRows) {
            return (
              <ReviewWorkspace
                submissions={submissions}
                unloaded={list.hasNextPage ? unloaded : 0}
                view={view}
                hasQuests={!questId}
                sort={sort}
                onSort={setSort}
                isStale={list.isPlaceholderData}
                list={list}
              />
            );
          }
          if (isFlagged) {
            return (
              <NoResults
                title="No flagged submissions"
                text="Nothing here looks suspicious."
                onReset={() => setShown('all')}
              />
            );
          }
          if (search || chosenQuest || (questId && isNarrowed)) {
            return <NoResults title="No submissions match" onReset={reset} />;
          }
          if (status === 'pending' && totals.approved + totals.rejected > 0) {
            return (
              <FocusCatcher isActive={hadRows}>
                <EmptyState
                  title="Nothing to review"
                  text="Every proof has been decided. New ones appear here."
                  action={
                    <Button variant="secondary" onClick={() => setStatus('all')}>
                      Show all submissions
                    </Button>
                  }
                />
              </FocusCatcher>
            );
          }
          return empty;
        }}
      </QueryView>
    </div>
  );
}

/**
 * How many submissions match beyond those loaded, at least one; null when `matching` is not known. Counted again when
 * `matching` or the rows are: a row that has just been decided is in the counts until they are fetched.
 */
function useUnloaded(matching: number | null, rows: readonly ReviewedSubmission[], status: string, isStale: boolean) {
  const [counted, setCounted] = useState<{ at: string; unloaded: number | null }>({ at: '', unloaded: null });
  const at = [status, matching, rows.length, isStale].join();
  if (at !== counted.at) {
    const loaded = rows.filter((row) => status === 'all' || row.status === status).length;
    setCounted({ at, unloaded: matching === null ? null : Math.max(matching - loaded, 1) });
  }
  return counted.unloaded;
}

/** Takes the focus when deciding the last proof has removed the list, and the focused element with it. */
function FocusCatcher({ isActive, children }: { isActive: boolean; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive && document.activeElement === document.body) element.current?.focus();
  }, [isActive]);
  return (
    <div ref={element} tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
}

const statusChoices = ['all', ...reviewStatuses] as const;

type ViewButtonProps = { icon: typeof List; label: string; isOn: boolean; onClick: () => void };

function ViewButton({ icon: Icon, label, isOn, onClick }: ViewButtonProps) {
  return (
    <Button variant={isOn ? 'secondary' : 'ghost'} size="icon" aria-label={label} aria-pressed={isOn} onClick={onClick}>
      <Icon aria-hidden="true" />
    </Button>
  );
}
