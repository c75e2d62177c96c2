import { ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { type DataColumn, DataTable, type RowSelection } from '@/components/data-table';
import { EmptyState, NoResults } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { SearchBox } from '@/components/search-box';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { UrlSelect } from '@/components/url-select';
import { useRowFocus } from '@/components/use-row-focus';
import { cn } from '@/lib/cn';
import { formatCount } from '@/lib/format';
import type { AdminListState, ListFilterState } from './paged-list';

type AdminListProps<Row> = {
  list: AdminListState<Row>;
  /** Singular noun for a row, such as 'project'. */
  noun: string;
  plural?: string;
  columns: DataColumn<Row>[];
  rowKey: (row: Row) => string;
  /** Rows can be selected for a bulk action. */
  selection?: RowSelection<Row>;
  emptyText: string;
  /** For a queue, where nothing left is not the same as nothing yet. */
  emptyTitle?: string;
  filter: ListFilterState;
  /** Filters are set, so no rows does not mean an empty table. */
  isFiltered: boolean;
};

/** A dashboard list in all its states; loads more pages below, and shows new rows on request only. */
export function AdminList<Row>(props: AdminListProps<Row>) {
  const { list, noun, plural = `${noun}s`, columns, rowKey, selection } = props;
  const { query, rows, newCount } = list;
  const focus = useRowFocus(rows.map(rowKey));
  return (
    <div ref={focus.list} tabIndex={-1} className="outline-none">
      <QueryView query={query} failure={`The ${plural} could not be loaded`} pending={<ListSkeleton />}>
        {() => {
          if (rows.length === 0) {
            return props.isFiltered ? (
              <NoMatch filter={props.filter} plural={plural} />
            ) : (
              <EmptyState title={props.emptyTitle ?? `No ${plural} yet`} text={props.emptyText} />
            );
          }
          return (
            <div className="grid gap-4">
              <div>
                <FloatingBar newCount={newCount} noun={noun} plural={plural} onShowNew={list.applyUpdates}>
                  {query.isRefetchError && (
                    <StaleNotice onRetry={() => query.refetch()} isRetrying={query.isFetching} />
                  )}
                </FloatingBar>
                <div className={cn(query.isPlaceholderData && 'opacity-60')} aria-busy={query.isPlaceholderData}>
                  <DataTable caption={plural} columns={columns} rows={rows} rowKey={rowKey} selection={selection} />
                </div>
              </div>
              <ShowMore list={query}>Show more {plural}</ShowMore>
            </div>
          );
        }}
      </QueryView>
    </div>
  );
}

/** Without a search, no rows is no mistake of the admin's: it is how a queue looks after its last row was decided. */
function NoMatch({ filter, plural }: { filter: ListFilterState; plural: string }) {
  const words = filter.search
    ? { title: `No ${plural} match`, text: 'Try another word or fewer filters.' }
    : { title: `No ${plural} under this filter`, text: 'Matching items appear here.' };
  return <NoResults {...words} onReset={filter.reset} />;
}

/** Shown after a failed refresh: the rows are outdated (TRUST-14). */
function StaleNotice({ onRetry, isRetrying }: { onRetry: () => void; isRetrying: boolean }) {
  return (
    <p
      role="alert"
      className="flex flex-wrap items-center gap-x-3 rounded-control border bg-card px-3 text-danger shadow-card"
    >
      Refreshing failed; this is what was loaded before.
      <Button variant="link" isLoading={isRetrying} onClick={onRetry}>
        Retry
      </Button>
    </p>
  );
}

function ListSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-px overflow-hidden rounded-card border bg-card p-4 shadow-card">
      <span className="sr-only">Loading…</span>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((line) => (
        <div key={line} className="flex items-center gap-6 py-3">
          <Skeleton className="h-5 w-1/3" />
          <Skeleton className="h-5 w-24" />
          <Skeleton className="ml-auto h-5 w-20" />
        </div>
      ))}
    </div>
  );
}

type Choice = readonly [value: string, label: string];

type ListToolbarProps = {
  filter: ListFilterState;
  /** Omit if the list has no search. */
  searchLabel?: string;
  /** Statuses beside 'all'. */
  statuses?: readonly Choice[];
  allLabel?: string;
  hasSort?: boolean;
  /** Further filters and buttons such as an export. */
  children?: ReactNode;
};

/** Toolbar of a list: search, status, sort order, and the list's own buttons. */
export function ListToolbar(props: ListToolbarProps) {
  const { filter, searchLabel, statuses = [], allLabel = 'All', hasSort = true, children } = props;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      {searchLabel && (
        <SearchBox label={searchLabel} value={filter.search} onChange={filter.setSearch} className="grow sm:max-w-xs" />
      )}
      {statuses.length > 0 && (
        <FilterSelect
          label="Status"
          value={filter.status}
          onChange={filter.setStatus}
          choices={[['all', allLabel], ...statuses]}
        />
      )}
      {hasSort && (
        <FilterSelect
          label="Order"
          value={filter.sort}
          onChange={(sort) => filter.setSort(sort === 'oldest' ? 'oldest' : 'newest')}
          choices={[
            ['newest', 'Newest first'],
            ['oldest', 'Oldest first'],
          ]}
        />
      )}
      {children}
    </div>
  );
}

type FilterSelectProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  choices: readonly Choice[];
};

/** A filter in the toolbar; its label is for screen readers. */
export function FilterSelect({ label, value, onChange, choices }: FilterSelectProps) {
  return (
    <UrlSelect aria-label={label} className="grow sm:grow-0" value={value} onChange={onChange}>
      {choices.map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </UrlSelect>
  );
}

type FloatingBarProps = {
  /** Number of new rows, with a button to show them; `noun`: singular noun for a row. */
  newCount: number;
  noun: string;
  plural: string;
  onShowNew: () => void;
  /** Further status of the refresh. */
  children?: ReactNode;
};

/** Refresh status floats over the list's top edge, so that it causes no layout shift (ADMIN-01). */
export function FloatingBar({ newCount, noun, plural, onShowNew, children }: FloatingBarProps) {
  return (
    <div className="sticky top-20 z-10 h-0">
      <div className="flex -translate-y-1/2 flex-col items-center gap-2">
        {children}
        <p role="status">
          {newCount > 0 && (
            <Button variant="secondary" className="shadow-card" onClick={onShowNew}>
              <ArrowUp aria-hidden="true" />
              Show {formatCount(newCount, `new ${noun}`, `new ${plural}`)}
            </Button>
          )}
        </p>
      </div>
    </div>
  );
}
