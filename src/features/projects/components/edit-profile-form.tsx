import { useAlert } from '@/components/alert-dialogs';
import { toast } from '@/components/ui/toast';
import { describeError } from '@/lib/errors';
import { type ProfileSubmission, projectErrors, useUpdateProject } from '../mutations';
import type { Project } from '../queries';
import { profileValues } from '../schema';
import { ProfileForm } from './profile-form';

type EditProfileFormProps = {
  project: Project;
  /** User whose folder receives a new logo: the person who edits. */
  uploaderId: string;
  /** Target of Cancel, and of the redirect after saving. */
  returnTo: string;
  savedText: string;
};

/** The form for an existing project, for its owner (SPROF-05) and for admins (C-31). A failure keeps the input. */
export function EditProfileForm({ project, uploaderId, returnTo, savedText }: EditProfileFormProps) {
  const update = useUpdateProject(project, uploaderId);
  const alert = useAlert();
  const handleSubmit = async (submission: ProfileSubmission) => {
    try {
      await update.mutateAsync(submission);
      return true;
    } catch (error) {
      alert(describeError(error, projectErrors.update));
      return false;
    }
  };
  return (
    <ProfileForm
      kind="edit"
      defaultValues={profileValues(project)}
      submitLabel="Save Changes"
      cancelTo={returnTo}
      onSubmit={handleSubmit}
      onSaved={(leave) => {
        toast.success(savedText);
        leave(returnTo);
      }}
    />
  );
}
