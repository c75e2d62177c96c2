import { CircleCheckBig, Hourglass } from 'lucide-react';
import { useState } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { paths } from '@/lib/paths';
import { OwnStartup, useOwnStartup } from '../components/own-project';
import { ProfileForm } from '../components/profile-form';
import { createFailure, type ProfileSubmission, useCreateStartup } from '../mutations';
import type { Startup } from '../queries';
import { emptyProfile } from '../schema';

/**
 * Create Project Profile. Who already has a profile is sent on (SPROF-02); who creates one here sees that it worked
 * first (SPROF-01).
 */
export function StartupCreatePage() {
  const { userId } = useOwnStartup();
  const [created, setCreated] = useState<Startup | null>(null);
  const [isCreating, setIsCreating] = useState(false);

  if (created) return <Created startup={created} />;
  const form = userId && <CreateForm userId={userId} onStart={setIsCreating} onCreated={setCreated} />;
  // The new profile is known before the success state is: being sent on would hide it.
  return (
    <OwnStartup whenMissing={form}>{() => (isCreating ? form : <Navigate to={paths.startup} replace />)}</OwnStartup>
  );
}

type CreateFormProps = {
  userId: string;
  onStart: (isCreating: boolean) => void;
  onCreated: (startup: Startup) => void;
};

function CreateForm({ userId, onStart, onCreated }: CreateFormProps) {
  const createStartup = useCreateStartup(userId);
  const handleSubmit = async (submission: ProfileSubmission) => {
    onStart(true);
    try {
      onCreated(await createStartup.mutateAsync(submission));
      return true;
    } catch (error) {
      onStart(false);
      toast.error(createFailure(error));
      return false;
    }
  };
  return (
    <div className="page-column pb-16">
      <PageMeta title="Create your project profile" />
      <PageHeader
        title="Create your project profile"
        lead="Two minutes, then your first quest can go live."
        back={{ to: paths.startup, label: 'Back to Dashboard' }}
      />
      <ProfileForm
        kind="create"
        defaultValues={emptyProfile}
        submitLabel="Create Profile"
        cancelTo={paths.startup}
        onSubmit={handleSubmit}
      />
    </div>
  );
}

/** The profile that was created is already in the cache, so the dashboard shows it without asking again. */
function Created({ startup }: { startup: Startup }) {
  const isVerified = startup.status === 'verified';
  const Icon = isVerified ? CircleCheckBig : Hourglass;
  return (
    <CenteredMessage>
      <PageMeta title="Project profile created" />
      <Icon aria-hidden="true" className="size-10 text-action" />
      <h1 className="text-3xl">{startup.name} is on the board</h1>
      <p role="status" className="text-muted">
        {isVerified
          ? 'Your project is verified. You can create your first quest now.'
          : 'Your project is under review. You can create quests once it is verified.'}
      </p>
      <Button asChild>
        <Link to={paths.startup}>Go to Dashboard</Link>
      </Button>
    </CenteredMessage>
  );
}
