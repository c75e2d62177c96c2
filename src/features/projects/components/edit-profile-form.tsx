import { useNavigate } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { toast } from '@/components/ui/toast';
import { type ProfileSubmission, updateFailure, useUpdateProject } from '../mutations';
import type { Project } from '../queries';
import { profileValues } from '../schema';
import { ProfileForm } from './profile-form';

type EditProfileFormProps = {
  project: Project;
  /** Whose folder a new logo goes into: that of who edits. The owner when left out. */
  uploaderId?: string;
  /** Where Cancel leads, and where one goes after saving. */
  returnTo: string;
  savedText: string;
};

/** The form of a project that exists, for its owner (SPROF-05) and for admins (C-31). A failure keeps what was typed. */
export function EditProfileForm({ project, uploaderId, returnTo, savedText }: EditProfileFormProps) {
  const update = useUpdateProject(project, uploaderId);
  const alert = useAlert();
  const navigate = useNavigate();
  const handleSubmit = async (submission: ProfileSubmission) => {
    try {
      await update.mutateAsync(submission);
      return true;
    } catch (error) {
      alert(updateFailure(error));
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
      onSaved={() => {
        toast.success(savedText);
        navigate(returnTo);
      }}
    />
  );
}
