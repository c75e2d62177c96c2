import { useEffect } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { toast } from '@/components/ui/toast';
import { paths } from '@/lib/paths';
import { OwnStartup } from '../components/own-startup';
import { ProfileForm } from '../components/profile-form';
import { type ProfileSubmission, useUpdateStartup } from '../mutations';
import { updateFailure } from '../profile-errors';
import type { Startup } from '../queries';
import { profileValues } from '../schema';

/** Edit Project Profile: without one it leads to creating it, and to the dashboard when loading fails (SPROF-05). */
export function StartupEditPage() {
  return (
    <OwnStartup whenFailed={<LoadingFailed />}>
      {(startup) => (
        <div className="page-column pb-16">
          <PageMeta title="Edit project profile" />
          <PageHeader title="Edit project profile" back={{ to: paths.startup, label: 'Back to Dashboard' }} />
          <EditForm key={startup.id} startup={startup} />
        </div>
      )}
    </OwnStartup>
  );
}

function EditForm({ startup }: { startup: Startup }) {
  const updateStartup = useUpdateStartup(startup);
  const alert = useAlert();
  const navigate = useNavigate();
  const handleSubmit = async (submission: ProfileSubmission) => {
    try {
      await updateStartup.mutateAsync(submission);
      return true;
    } catch (error) {
      alert(updateFailure(error));
      return false;
    }
  };
  return (
    <ProfileForm
      kind="edit"
      defaultValues={profileValues(startup)}
      submitLabel="Save Changes"
      cancelTo={paths.startup}
      onSubmit={handleSubmit}
      onSaved={() => {
        toast.success('Profile saved');
        navigate(paths.startup);
      }}
    />
  );
}

/** Goes to the dashboard and says why (TRUST-14). */
function LoadingFailed() {
  useEffect(() => toast.error('Your project could not be loaded. Please try again.'), []);
  return <Navigate to={paths.startup} replace />;
}
