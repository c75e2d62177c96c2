import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { NotAuthenticated } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { Skeleton } from '@/components/ui/skeleton';
import { Spinner } from '@/components/ui/spinner';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { type OwnedProject, projectQueries } from '../queries';

type OwnProjectProps = {
  children: (project: OwnedProject, userId: string) => ReactNode;
  /** Shown without a project; by default a redirect to creating one. */
  whenMissing?: ReactNode;
  /** Shown when loading failed; by default an error with Retry. */
  whenFailed?: ReactNode;
  /** Label while loading. */
  loadingLabel?: string;
};

/** Boundary for the screens of the project side: a signed-in user and their project. */
export function OwnProject(props: OwnProjectProps) {
  const { whenMissing = <Navigate to={paths.projectCreate} replace />, loadingLabel = 'Loading your project' } = props;
  const { status, userId } = useSession();
  const query = useQuery({
    ...projectQueries.own(userId ?? ''),
    enabled: userId !== null,
    // Another tab may have saved it a moment ago, and a form here would put the old profile back.
    refetchOnWindowFocus: 'always',
  });
  if (status === 'signed-out') return <NotAuthenticated />;
  if (query.isLoadingError && props.whenFailed) return props.whenFailed;
  return (
    <QueryView
      query={query}
      failure="Your project could not be loaded"
      failureClassName="page-column py-8"
      isWaiting={status === 'loading' || userId === null}
      pending={<OwnProjectLoading label={loadingLabel} />}
    >
      {(project) => (project && userId !== null ? props.children(project, userId) : whenMissing)}
    </QueryView>
  );
}

function OwnProjectLoading({ label }: { label: string }) {
  return (
    <div className="page-column grid gap-6 py-8" aria-busy="true">
      <Spinner label={label} className="text-muted" />
      <Skeleton shape="card" className="h-28" />
      <Skeleton shape="card" className="h-64" />
    </div>
  );
}
