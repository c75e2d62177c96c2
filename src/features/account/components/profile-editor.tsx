import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Form, SubmitButton } from '@/components/form';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import type { ProfileInput } from '../mutations';
import { initialProfile } from '../profile-form';
import type { Profile } from '../queries';
import { useOwnProfile } from '../use-own-profile';
import { useSaveProfile } from '../use-save-profile';
import { EmailNote } from './email-note';
import { ProfileFields } from './profile-fields';
import { ProfilePreview } from './profile-preview';
import { QuickStats } from './quick-stats';

type ProfileEditorProps = { userId: string; profile: Profile | null; initial: ProfileInput };

/** The profile as a form that is locked until one wants to edit, beside its preview and quick stats (PROF-01). */
export function ProfileEditor({ userId, profile, initial }: ProfileEditorProps) {
  const { session } = useOwnProfile();
  const { save, isSaving } = useSaveProfile();
  const [isEditing, setIsEditing] = useState(false);
  const [wantedEmail, setWantedEmail] = useState<string | null>(null);
  // Follows the saved profile until somebody types.
  const { register, handleSubmit, reset, watch, formState } = useForm({
    defaultValues: initial,
    values: isEditing ? undefined : initial,
  });
  const { dialog } = useUnsavedChanges(isEditing && formState.isDirty);

  const handleEdit = () => {
    setWantedEmail(null);
    setIsEditing(true);
  };
  const handleCancel = () => {
    reset(initial);
    setIsEditing(false);
  };
  const handleSave = handleSubmit(async (input) => {
    const saved = await save(input);
    if (!saved) return;
    // The database may have kept the old address (C-65); the form shows what it holds now.
    reset(initialProfile(saved, { name: '', email: input.email }));
    setWantedEmail(input.email);
    setIsEditing(false);
  });

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,43rem)_minmax(18rem,1fr)]">
      <Card>
        <Form onSubmit={handleSave} aria-label="Your profile">
          <ProfileFields register={register} isReadOnly={!isEditing} />
          {!isEditing && <EmailNote stored={profile?.email ?? null} wanted={wantedEmail} />}
          <div className="flex flex-col-reverse gap-3 sm:flex-row">
            {isEditing ? (
              <>
                <Button key="cancel" variant="secondary" onClick={handleCancel}>
                  Cancel
                </Button>
                <SubmitButton key="save" isSubmitting={isSaving}>
                  Save
                </SubmitButton>
              </>
            ) : (
              <Button key="edit" onClick={handleEdit}>
                <Pencil aria-hidden="true" />
                Edit
              </Button>
            )}
          </div>
        </Form>
      </Card>
      <div className="grid gap-6">
        <ProfilePreview values={watch()} profile={profile} imageUrl={session.imageUrl} role={session.role} />
        <QuickStats userId={userId} />
      </div>
      {dialog}
    </div>
  );
}
