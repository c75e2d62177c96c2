import { useEffect } from 'react';
import { Navigate } from 'react-router-dom';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { toast } from '@/components/ui/toast';
import { paths } from '@/lib/paths';
import { OwnProject } from '../components/own-project';
import { EditProfileForm } from '../components/profile-form';

/**
 * Edit Project Profile: redirects to creating one when there is none, and to the dashboard when loading fails
 * (SPROF-05).
 */
export default function ProjectEditPage() {
  return (
    <OwnProject whenFailed={<LoadingFailed />}>
      {(project, userId) => (
        <div className="page-column pb-16">
          <PageMeta title="Edit project profile" />
          <PageHeader title="Edit project profile" back={{ to: paths.founder, label: 'Back to Dashboard' }} />
          <EditProfileForm
            key={project.id}
            project={project}
            uploaderId={userId}
            returnTo={paths.founder}
            savedText="Profile saved"
          />
        </div>
      )}
    </OwnProject>
  );
}

/** /startup/profile: redirects to creating a profile, or to editing the existing one (ROUTE-10, C-30). */
export function ProjectProfilePage() {
  return <OwnProject>{() => <Navigate to={paths.projectEdit} replace />}</OwnProject>;
}

/** Redirects to the dashboard with the reason (TRUST-14). */
function LoadingFailed() {
  useEffect(() => toast.error('Your project could not be loaded. Please try again.'), []);
  return <Navigate to={paths.founder} replace />;
}
