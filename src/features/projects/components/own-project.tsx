import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { ErrorState } from '@/components/error-state';
import { NotAuthenticated } from '@/components/not-authenticated';
import { Skeleton } from '@/components/ui/skeleton';
import { Spinner } from '@/components/ui/spinner';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { type Startup, startupQueries } from '../queries';

type OwnStartupProps = {
  children: (startup: Startup, userId: string) => ReactNode;
  /** What to show without a project; by default its owner is sent to create one. */
  whenMissing?: ReactNode;
  /** What to show when reading failed; by default that, with Retry. */
  whenFailed?: ReactNode;
  /** Words while loading. */
  loadingLabel?: string;
};

/** Everything that a screen of the startup side needs before it can begin: somebody signed in, and their project. */
export function OwnStartup(props: OwnStartupProps) {
  const { whenMissing = <Navigate to={paths.startupCreate} replace />, loadingLabel = 'Loading your project' } = props;
  const { session, userId, query } = useOwnStartup();
  if (session.status === 'signed-out') return <NotAuthenticated />;
  if (session.status === 'loading' || query.isPending || userId === null)
    return <OwnStartupLoading label={loadingLabel} />;
  if (query.isError) {
    return (
      props.whenFailed ?? (
        <div className="page-column py-8">
          <ErrorState
            title="Your project could not be loaded"
            error={query.error}
            onRetry={() => query.refetch()}
            isRetrying={query.isFetching}
          />
        </div>
      )
    );
  }
  return query.data ? props.children(query.data, userId) : whenMissing;
}

function OwnStartupLoading({ label }: { label: string }) {
  return (
    <div className="page-column grid gap-6 py-8" aria-busy="true">
      <Spinner label={label} className="text-muted" />
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}

/** The signed-in user's project: nobody's while signed out. `query.data` is null for a user without one. */
export function useOwnStartup() {
  const session = useSession();
  const userId = session.userId;
  const query = useQuery({ ...startupQueries.own(userId ?? ''), enabled: userId !== null });
  return { session, userId, query };
}
