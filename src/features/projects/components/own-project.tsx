import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { ErrorState } from '@/components/error-state';
import { NotAuthenticated } from '@/components/not-authenticated';
import { Skeleton } from '@/components/ui/skeleton';
import { Spinner } from '@/components/ui/spinner';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { type Project, projectQueries } from '../queries';

type OwnProjectProps = {
  children: (project: Project, userId: string) => ReactNode;
  /** What to show without a project; by default its owner is sent to create one. */
  whenMissing?: ReactNode;
  /** What to show when reading failed; by default that, with Retry. */
  whenFailed?: ReactNode;
  /** Words while loading. */
  loadingLabel?: string;
};

/** Everything that a screen of the startup side needs before it can begin: somebody signed in, and their project. */
export function OwnProject(props: OwnProjectProps) {
  const { whenMissing = <Navigate to={paths.projectCreate} replace />, loadingLabel = 'Loading your project' } = props;
  const { session, userId, query } = useOwnProject();
  if (session.status === 'signed-out') return <NotAuthenticated />;
  if (session.status === 'loading' || query.isPending || userId === null)
    return <OwnProjectLoading label={loadingLabel} />;
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

function OwnProjectLoading({ label }: { label: string }) {
  return (
    <div className="page-column grid gap-6 py-8" aria-busy="true">
      <Spinner label={label} className="text-muted" />
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}

/** The signed-in user's project: nobody's while signed out. `query.data` is null for a user without one. */
export function useOwnProject() {
  const session = useSession();
  const userId = session.userId;
  const query = useQuery({ ...projectQueries.own(userId ?? ''), enabled: userId !== null });
  return { session, userId, query };
}
