import { type DataColumn, DataTable } from '@/components/data-table';
import { EmptyState, NoResults } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { cn } from '@/lib/cn';
import { FloatingBar } from './floating-bar';
import type { AdminListState } from './use-admin-list';

type AdminListProps<Row> = {
  list: AdminListState<Row>;
  /** What a row is: 'project'. */
  noun: string;
  plural?: string;
  columns: DataColumn<Row>[];
  rowKey: (row: Row) => string;
  emptyText: string;
  /** Filters are set: an empty answer is no empty table. */
  isFiltered: boolean;
  onReset: () => void;
};

/** A list of the dashboard in each of its states; more pages below, new rows only when asked for. */
export function AdminList<Row>(props: AdminListProps<Row>) {
  const { list, noun, plural = `${noun}s`, columns, rowKey } = props;
  const { query, rows, newCount } = list;
  if (query.isPending) return <ListSkeleton />;
  if (query.isError && rows.length === 0) {
    return (
      <ErrorState
        title={`The ${plural} could not be loaded`}
        error={query.error}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  if (rows.length === 0) {
    return props.isFiltered ? (
      <NoResults title={`No ${plural} match`} text="Try another word or fewer filters." onReset={props.onReset} />
    ) : (
      <EmptyState title={`No ${plural} yet`} text={props.emptyText} />
    );
  }
  return (
    <div className="grid gap-4">
      <div>
        <FloatingBar newCount={newCount} noun={noun} plural={plural} onShowNew={list.showNew}>
          {query.isRefetchError && <StaleNotice onRetry={() => query.refetch()} isRetrying={query.isFetching} />}
        </FloatingBar>
        <div className={cn(query.isPlaceholderData && 'opacity-60')} aria-busy={query.isPlaceholderData}>
          <DataTable caption={plural} columns={columns} rows={rows} rowKey={rowKey} />
        </div>
      </div>
      {query.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-center"
          isLoading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          Show more {plural}
        </Button>
      )}
    </div>
  );
}

/** The last refresh failed: what is shown is from before, and says so (TRUST-14). */
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
