import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { describeError, toAppError, withReference } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useQueryGroup } from './query-group';

/** The part of a query result that is used here. */
type QueryLike = { data: unknown; error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };

/** The data of one query, or of several in order. */
type DataOf<Queries> = Queries extends readonly unknown[]
  ? { [Index in keyof Queries]: DataOf<Queries[Index]> }
  : Queries extends QueryLike
    ? Exclude<Queries['data'], undefined>
    : never;

type QueryViewProps<Queries> = {
  /** One query, or several that are only useful together. */
  query: Queries;
  /** Error title: 'The figures could not be loaded'. */
  failure: string;
  /** Overrides the error's own message, where the specification gives one. */
  failureText?: string;
  retryLabel?: string;
  /** Class of the error box, if the page does not position it. */
  failureClassName?: string;
  /** Shown while loading; a default skeleton when omitted. */
  pending?: ReactNode;
  /** Also waits for something else, such as the session. */
  isWaiting?: boolean;
  /** Shows above the data that refreshing it failed. Without this, stale data is shown as it is. */
  showsRefreshError?: boolean;
  children: (data: DataOf<Queries>) => ReactNode;
};

/**
 * Renders a query as loading, failed or loaded. A failure is never shown as an empty state and offers a retry, except to
 * suspended people, whom every retry would refuse; a failed refresh keeps the existing data (TRUST-14).
 */
export function QueryView<const Queries extends QueryLike | readonly QueryLike[]>(props: QueryViewProps<Queries>) {
  const { query, failure, failureText, retryLabel, failureClassName, pending, isWaiting, showsRefreshError } = props;
  const queries: readonly QueryLike[] = 'refetch' in query ? [query] : query;
  const failed = queries.filter(({ isError, data }) => isError && data === undefined);
  const stale = showsRefreshError ? queries.filter(({ isError, data }) => isError && data !== undefined) : [];

  const isPending = isWaiting || queries.some(({ data }) => data === undefined);
  const status = failed.length > 0 ? 'failed' : isPending ? 'pending' : 'shown';
  const group = useQueryGroup(status, failure, () => failed.map((each) => each.refetch()));

  const errorState = (broken: readonly QueryLike[]) => {
    const isForAll = group.place === 'first';
    return (
      <ErrorState
        title={isForAll ? 'This page could not be loaded' : failure}
        details={isForAll ? group.titles : []}
        text={failureText ? withReference(failureText, broken[0]?.error) : describeError(broken[0]?.error)}
        isSuspended={toAppError(broken[0]?.error).code === 'SUSPENDED'}
        onRetry={isForAll ? group.retryAll : () => broken.map((each) => each.refetch())}
        isRetrying={broken.some(({ isFetching }) => isFetching)}
        retryLabel={retryLabel}
        className={failureClassName}
      />
    );
  };

  if (failed.length > 0) return group.place === 'silent' ? null : errorState(failed);
  if (isPending) {
    return pending === undefined ? <PendingLines /> : pending;
  }
  const data: unknown = 'refetch' in query ? query.data : queries.map((each) => each.data);
  return (
    <>
      {stale.length > 0 && errorState(stale)}
      {props.children(data as DataOf<Queries>)}
    </>
  );
}

function PendingLines() {
  return (
    <div aria-busy="true" className="grid gap-3">
      <Skeleton className="h-6 w-1/3" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  );
}

type ErrorStateProps = {
  title: string;
  text: string;
  /** What could not be loaded, when this box stands for several failed queries. */
  details: readonly string[];
  /** Offers a link to the reason and the appeal instead of a retry. */
  isSuspended: boolean;
  onRetry: () => void;
  isRetrying: boolean;
  retryLabel?: string;
  className?: string;
};

/** Stays during retries; only the first failure is announced, not every attempt. */
function ErrorState(props: ErrorStateProps) {
  const { title, text, details, isSuspended, onRetry, isRetrying, retryLabel = 'Retry', className } = props;
  const box = (
    <div className="flex flex-col gap-4 rounded-card border border-l-4 border-l-danger bg-card p-4 shadow-card sm:flex-row sm:items-center sm:justify-between">
      <div role="alert">
        <p className="font-bold font-display text-lg">{title}</p>
        <p className="text-muted">{text}</p>
        {details.length > 0 && (
          <ul className="mt-2 list-disc pl-5 text-muted">
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-3 max-sm:justify-between">
        {isSuspended ? (
          <Button variant="secondary" asChild>
            <Link to={paths.settings}>See why</Link>
          </Button>
        ) : (
          <Button variant="secondary" onClick={onRetry} isLoading={isRetrying}>
            <RotateCcw aria-hidden="true" />
            {retryLabel}
          </Button>
        )}
        {isRetrying && !isSuspended && <span className="text-muted text-sm sm:order-first">Trying again…</span>}
      </div>
    </div>
  );
  return className ? <div className={className}>{box}</div> : box;
}
