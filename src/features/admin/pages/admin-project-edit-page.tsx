import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { PageHeader, useOrigin } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { EditProfileForm, type Project, projectQueries } from '@/features/projects';
import { useSession } from '@/lib/auth';
import { isUuid } from '@/lib/paths';
import { AdminGate } from '../components/admin-gate';
import { adminTabPath } from '../tabs';

const projectsTab = adminTabPath('projects');

/** The project edit form with admin rights (ROUTE-14, C-31); changes by admins are in the audit log. */
export default function AdminProjectEditPage() {
  const { id = '' } = useParams();
  return (
    <AdminGate>
      {() => (
        <div className="page-column pb-16">
          <PageMeta title="Edit project" />
          <PageHeader title="Edit project" back={{ to: projectsTab, label: 'Back to Projects' }} />
          {isUuid(id) ? <LoadedProject key={id} id={id} /> : <ProjectNotFound />}
        </div>
      )}
    </AdminGate>
  );
}

function LoadedProject({ id }: { id: string }) {
  // What its owner has saved meanwhile must not be put back.
  const query = useQuery({ ...projectQueries.detail(id), refetchOnMount: 'always', refetchOnWindowFocus: 'always' });
  return (
    <QueryView query={query} failure="The project could not be loaded">
      {(project) => (project ? <EditForm project={project} /> : <ProjectNotFound />)}
    </QueryView>
  );
}

function ProjectNotFound() {
  return <EmptyState title="Project not found" text="It may have been deleted by its owner." drawing="torn" />;
}

function EditForm({ project }: { project: Project }) {
  const { userId } = useSession();
  const returnTo = useOrigin() ?? projectsTab;
  if (!userId) return null;
  return (
    <EditProfileForm project={project} uploaderId={userId} returnTo={returnTo} savedText={`${project.name} is saved`} />
  );
}
