import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { ErrorState } from '@/components/error-state';
import { PageMeta } from '@/components/page-meta';
import { PinnedNote } from '@/components/pinned-note';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { ProjectFeedback } from '@/features/feedback';
import { paths } from '@/lib/paths';
import { isUuid } from '@/lib/uuid';
import { ProjectHeader } from '../components/project-header';
import { ProjectQuests } from '../components/project-quests';
import { ProjectStatistics } from '../components/project-statistics';
import { type Startup, startupQueries } from '../queries';

/** A project as everyone sees it: who it is, its quests, what members say (PROJ-01..04). */
export function ProjectPage() {
  const { id = '' } = useParams();
  const query = useQuery({ ...startupQueries.detail(id), enabled: isUuid(id) });

  if (!isUuid(id) || query.data === null) return <ProjectNotFound />;
  return (
    <div className="page-column grid gap-8 py-6 pb-16">
      <Link
        to={paths.browse('projects')}
        className="-mb-6 inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to Projects
      </Link>
      {query.data ? (
        <Project startup={query.data} />
      ) : query.isError ? (
        <ErrorState
          title="The project could not be loaded"
          error={query.error}
          onRetry={() => query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <ProjectSkeleton />
      )}
    </div>
  );
}

function Project({ startup }: { startup: Startup }) {
  return (
    <>
      <PageMeta title={startup.name} description={startup.description ?? undefined} />
      <ProjectHeader startup={startup} />
      <ProjectStatistics startup={startup} />
      <ProjectQuests startup={startup} />
      <ProjectFeedback startupId={startup.id} />
    </>
  );
}

function ProjectSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-8">
      <div className="flex gap-5">
        <Skeleton className="size-24" />
        <div className="grid grow content-start gap-3">
          <Skeleton className="h-9 w-64 max-w-full" />
          <Skeleton className="w-96 max-w-full" />
        </div>
      </div>
      <Skeleton className="h-24 rounded-card" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}

function ProjectNotFound() {
  return (
    <PinnedNote>
      <PageMeta title="Project Not Found" />
      <h1 className="text-3xl">Project Not Found</h1>
      <p className="text-muted">It may have been taken down, or the link is incomplete.</p>
      <Button asChild>
        <Link to={paths.browse('projects')}>Back to Projects</Link>
      </Button>
    </PinnedNote>
  );
}
