import { CircleCheckBig, Hourglass } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { takeFocus } from '@/components/take-focus';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { OwnProject } from '../components/own-project';
import { ProfileForm } from '../components/profile-form';
import { type ProfileSubmission, projectErrors, useCreateProject } from '../mutations';
import type { Project } from '../queries';
import { emptyProfile } from '../schema';

/**
 * Create Project Profile. Owners of a profile are redirected (SPROF-02), except right after creating one here, when the
 * success state is shown first (SPROF-01).
 */
export default function ProjectCreatePage() {
  const { userId } = useSession();
  const [created, setCreated] = useState<Project | null>(null);
  const [isCreating, setIsCreating] = useState(false);

  if (created) return <Created project={created} />;
  const form = userId && <CreateForm userId={userId} onStart={setIsCreating} onCreated={setCreated} />;
  // The new profile is in the cache before the success state is set; redirecting then would hide it.
  return (
    <OwnProject whenMissing={form}>{() => (isCreating ? form : <Navigate to={paths.founder} replace />)}</OwnProject>
  );
}

const toastSubject = 'project creation';

type CreateFormProps = {
  userId: string;
  onStart: (isCreating: boolean) => void;
  onCreated: (project: Project) => void;
};

function CreateForm({ userId, onStart, onCreated }: CreateFormProps) {
  const createProject = useCreateProject(userId);
  const hasFailed = useRef(false);
  const handleSubmit = async (submission: ProfileSubmission) => {
    onStart(true);
    try {
      onCreated(await createProject.mutateAsync(submission));
      // The page itself announces the success. The toast only replaces that of an earlier failure, which would stay beside it for seconds.
      if (hasFailed.current) toast.success('Your profile is created', toastSubject);
      return true;
    } catch (error) {
      onStart(false);
      hasFailed.current = true;
      toast.error(describeError(error, projectErrors.create), toastSubject);
      return false;
    }
  };
  return (
    <div className="page-column pb-16">
      <PageMeta title="Create your project profile" />
      <PageHeader
        title="Create your project profile"
        lead="Two minutes. Once your project is verified, your first quest can go live."
        back={{ to: paths.founder, label: 'Back to Dashboard' }}
      />
      <ProfileForm
        kind="create"
        defaultValues={emptyProfile}
        draftOf={userId}
        submitLabel="Create Profile"
        cancelTo={paths.founder}
        onSubmit={handleSubmit}
      />
    </div>
  );
}

/** The created profile is already in the cache, so the dashboard shows it without a request. */
function Created({ project }: { project: Project }) {
  const isVerified = project.status === 'verified';
  const Icon = isVerified ? CircleCheckBig : Hourglass;
  return (
    <CenteredMessage>
      <PageMeta title="Project profile created" />
      <Icon aria-hidden="true" className="size-10 text-action" />
      <h1 ref={takeFocus} tabIndex={-1} className="text-3xl outline-none">
        {isVerified ? `${project.name} is on the board` : `${project.name} has its profile`}
      </h1>
      <p role="status" className="text-muted">
        {isVerified
          ? 'Your project is verified. You can create your first quest now.'
          : 'Your project is under review. You can create quests once it is verified.'}
      </p>
      <Button asChild>
        <Link to={paths.founder}>Go to Dashboard</Link>
      </Button>
    </CenteredMessage>
  );
}
