import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { NotAuthenticated } from '@/components/empty-state';
import { Form, SubmitButton } from '@/components/form';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { takeLostFocus } from '@/components/take-focus';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { OgBadge, type Profile, type ProfileInput, roleLabels } from '@/features/account';
import { referralQueries } from '@/features/referrals';
import { levelOf } from '@/features/rewards';
import { walletQueries } from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { formatDate, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import type { Role } from '@/lib/role';
import {
  EmailNote,
  OwnProfile,
  ProfileFact,
  ProfileFields,
  profileColumns,
  showSaved,
  useSaveProfile,
} from '../components/profile-form';

/** /profile and /community/profile: names and e-mail address, with a preview and quick stats (PROF-01, C-32). */
export default function ProfilePage() {
  const { status, userId } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated text="Please sign in to update your profile" />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Edit Profile" />
      <PageHeader
        title="Edit Profile"
        lead="How you appear on Questboard."
        back={{ to: paths.home, label: 'Back to Home' }}
      />
      <OwnProfile>{(own) => <ProfileEditor userId={userId} {...own} />}</OwnProfile>
    </div>
  );
}

type ProfileEditorProps = { userId: string; profile: Profile | null; initial: ProfileInput };

/** The profile form, read-only until Edit is pressed, with preview and quick stats (PROF-01). */
function ProfileEditor({ userId, profile, initial }: ProfileEditorProps) {
  const session = useSession();
  const { save, isSaving } = useSaveProfile();
  // Null until Edit was pressed: the button takes no focus on arrival.
  const [isEditing, setIsEditing] = useState<boolean | null>(null);
  const [wantedEmail, setWantedEmail] = useState<string | null>(null);
  const form = useForm({
    defaultValues: initial,
    // What nobody has touched follows the saved profile, so that saving does not put back an older one.
    values: initial,
    resetOptions: { keepDirtyValues: true },
  });
  const { register, handleSubmit, reset, watch, formState } = form;
  const { isDirty, dirtyFields } = formState;
  const { dialog } = useUnsavedChanges(isEditing === true && isDirty);

  const handleEdit = () => {
    setWantedEmail(null);
    setIsEditing(true);
    form.setFocus('displayName');
  };
  const handleCancel = () => {
    reset(initial, { keepDirtyValues: false });
    setIsEditing(false);
  };
  const handleSave = handleSubmit(async (input) => {
    const saved = await save(input, dirtyFields);
    if (!saved) return;
    setWantedEmail(dirtyFields.email ? input.email : null);
    if (!showSaved(form, saved, input)) setIsEditing(false);
  });

  return (
    <div className={profileColumns}>
      <Card>
        <Form onSubmit={handleSave} aria-label="Your profile">
          <ProfileFields register={register} isReadOnly={!isEditing} />
          {!isEditing && <EmailNote stored={profile?.email ?? null} wanted={wantedEmail} />}
          <div className="flex flex-col-reverse gap-3 sm:flex-row">
            {isEditing ? (
              <>
                {/* A save under way cannot be undone, and the values that Cancel restores would count as unsaved changes. */}
                <Button key="cancel" variant="secondary" disabled={isSaving} onClick={handleCancel}>
                  Cancel
                </Button>
                <SubmitButton key="save" isSubmitting={isSaving}>
                  Save
                </SubmitButton>
              </>
            ) : (
              <Button key="edit" ref={isEditing === false ? takeLostFocus : null} onClick={handleEdit}>
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

type ProfilePreviewProps = { values: ProfileInput; profile: Profile | null; imageUrl: string | null; role: Role };

/** Live preview of the profile. */
function ProfilePreview({ values, profile, imageUrl, role }: ProfilePreviewProps) {
  const name = values.displayName || values.username || 'You';
  return (
    <Card as="section" aria-label="Preview" className="grid justify-items-center gap-3 text-center">
      <Avatar name={name} src={imageUrl} className="size-20 text-2xl" />
      <div className="min-w-0 max-w-full">
        <p className="truncate font-bold font-display text-xl">{name}</p>
        {values.username && <p className="truncate text-muted">@{values.username}</p>}
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Badge>{roleLabels[role]}</Badge>
        <OgBadge />
      </div>
      <ConnectedAccounts profile={profile} />
      {profile && <p className="text-muted text-sm">Member since {formatDate(profile.created_at)}</p>}
    </Card>
  );
}

/** External accounts that the identity provider has verified, by provider (C-108). Nothing without any. */
function ConnectedAccounts({ profile }: { profile: Profile | null }) {
  const accounts = Object.entries(z.record(z.string(), z.string()).parse(profile?.verified_socials ?? {}));
  if (accounts.length === 0) return null;
  return (
    <ul aria-label="Connected accounts" className="flex max-w-full flex-wrap justify-center gap-2">
      {accounts.map(([provider, name]) => (
        <li key={provider} className="max-w-full">
          <Badge>
            <span className="capitalize">{provider}</span>
            {name && <span className="truncate"> {name}</span>}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

/** Points, level and referrals at a glance (PROF-01). */
function QuickStats({ userId }: { userId: string }) {
  const wallet = useQuery(walletQueries.own(userId));
  const referrals = useQuery(referralQueries.stats(userId));
  return (
    <Card as="section" aria-labelledby="quick-stats">
      <h2 id="quick-stats" className="mb-2 text-xl">
        Quick stats
      </h2>
      <QueryView query={wallet} failure="Your stats could not be loaded" pending={<Skeleton className="h-44" />}>
        {(own) => (
          <dl>
            <ProfileFact label="Points">
              <Points value={own?.points ?? 0} />
            </ProfileFact>
            <ProfileFact label="Lifetime points">
              <Points value={own?.lifetime_points ?? 0} />
            </ProfileFact>
            <ProfileFact label="Player Level">{levelOf(own?.lifetime_points ?? 0)}</ProfileFact>
            <ProfileFact label="Friends who joined">
              {referrals.data ? formatNumber(referrals.data.successfulReferrals) : '–'}
            </ProfileFact>
          </dl>
        )}
      </QueryView>
    </Card>
  );
}
