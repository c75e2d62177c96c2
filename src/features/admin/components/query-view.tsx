import type { ReactNode } from 'react';
import { ErrorState } from '@/components/error-state';
import { Skeleton } from '@/components/ui/skeleton';

/** What is used of a query's result. */
type Query<Data> = {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  refetch: () => unknown;
};

type LoadedProps<Data> = {
  query: Query<Data>;
  /** What could not be loaded: 'The figures could not be loaded'. */
  failure: string;
  failureText?: string;
  /** While it loads; grey lines when left out. */
  pending?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** What a query brought, or why not. A failed refresh keeps what is there. */
export function QueryView<Data>({ query, failure, failureText, pending, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) {
    return (
      pending ?? (
        <div aria-busy="true" className="grid gap-3">
          <Skeleton className="h-6 w-1/3" />
          <Skeleton className="h-24" />
          <Skeleton className="h-24" />
        </div>
      )
    );
  }
  return (
    <ErrorState
      title={failure}
      text={failureText}
      error={query.error}
      onRetry={() => query.refetch()}
      isRetrying={query.isFetching}
    />
  );
}
