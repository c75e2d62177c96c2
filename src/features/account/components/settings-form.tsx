import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { Form, SubmitButton } from '@/components/form';
import { Button } from '@/components/ui/button';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import type { ProfileInput } from '../mutations';
import type { Profile } from '../queries';
import { useSaveProfile } from '../use-save-profile';
import { EmailNote } from './email-note';
import { ProfileFields } from './profile-fields';

/** Profile fields in the settings; Cancel goes back one page (PROF-02). */
export function SettingsForm({ profile, initial }: { profile: Profile | null; initial: ProfileInput }) {
  const navigate = useNavigate();
  const { save, isSaving } = useSaveProfile();
  const [wantedEmail, setWantedEmail] = useState<string | null>(null);
  const { register, handleSubmit, reset, formState } = useForm({ defaultValues: initial });
  const { dialog, allowLeaving } = useUnsavedChanges(formState.isDirty);

  const handleSave = handleSubmit(async (input) => {
    const saved = await save(input);
    if (!saved) return;
    setWantedEmail(input.email);
    reset({ displayName: saved.display_name ?? '', username: saved.username, email: saved.email ?? input.email });
  });
  const handleCancel = () => {
    allowLeaving();
    navigate(-1);
  };

  return (
    <Form onSubmit={handleSave} aria-label="Profile settings">
      <ProfileFields register={register} isUsernameRequired />
      {!formState.isDirty && <EmailNote stored={profile?.email ?? null} wanted={wantedEmail} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row">
        <Button variant="secondary" onClick={handleCancel}>
          Cancel
        </Button>
        <SubmitButton isSubmitting={isSaving}>Save changes</SubmitButton>
      </div>
      {dialog}
    </Form>
  );
}
