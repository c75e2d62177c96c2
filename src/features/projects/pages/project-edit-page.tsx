import { useEffect } from 'react';
import { Navigate } from 'react-router-dom';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { toast } from '@/components/ui/toast';
import { paths } from '@/lib/paths';
import { EditProfileForm } from '../components/edit-profile-form';
import { OwnProject } from '../components/own-project';

/** Edit Project Profile: without one it leads to creating it, and to the dashboard when loading fails (SPROF-05). */
export function ProjectEditPage() {
  return (
    <OwnProject whenFailed={<LoadingFailed />}>
      {(project) => (
        <div className="page-column pb-16">
          <PageMeta title="Edit project profile" />
          <PageHeader title="Edit project profile" back={{ to: paths.founder, label: 'Back to Dashboard' }} />
          <EditProfileForm key={project.id} project={project} returnTo={paths.founder} savedText="Profile saved" />
        </div>
      )}
    </OwnProject>
  );
}

/** Goes to the dashboard and says why (TRUST-14). */
function LoadingFailed() {
  useEffect(() => toast.error('Your project could not be loaded. Please try again.'), []);
  return <Navigate to={paths.founder} replace />;
}

/** Has no screen of its own: leads to creating a profile, or to editing the one there is (ROUTE-10, C-30). */
export function ProjectProfilePage() {
  return <OwnProject>{() => <Navigate to={paths.projectEdit} replace />}</OwnProject>;
}
