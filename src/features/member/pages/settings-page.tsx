import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Compass, Gift, UserRound } from 'lucide-react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm } from 'react-hook-form';
import { Link, useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '@/components/alert-dialogs';
import { NotAuthenticated } from '@/components/empty-state';
import { Form, SubmitButton } from '@/components/form';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { type Profile, type ProfileInput, roleLabels } from '@/features/account';
import { SuspensionNotice } from '@/features/appeals';
import { MailPreferences } from '@/features/notifications';
import { projectQueries } from '@/features/projects';
import { type EmailConsent, submissionQueries, useWithdrawConsent } from '@/features/submissions';
import { useOpenAccount, useSession } from '@/lib/auth';
import { downloadBlob } from '@/lib/csv';
import { describeError } from '@/lib/errors';
import { formatDate } from '@/lib/format';
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
import { ownDataFileName, useOwnDataArchive } from '../mutations';

/** /settings and /community/settings: profile fields, account status and links (PROF-02, C-32). */
export default function SettingsPage() {
  const { status, userId, role } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated text="Please sign in to update your profile" />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Settings" />
      <PageHeader title="Account settings" lead="Your names, your address and where your account stands." />
      <OwnProfile>
        {({ profile, initial }) => (
          <div className={profileColumns}>
            <div className="grid gap-6">
              <Card>
                <SettingsForm profile={profile} initial={initial} />
              </Card>
              <MailPreferences userId={userId} />
            </div>
            <div className="grid gap-6">
              <AccountStatus profile={profile} role={role} />
              <ManageAccount userId={userId} />
              <SharedEmails userId={userId} />
              <OwnData />
              <QuickActions />
            </div>
          </div>
        )}
      </OwnProfile>
    </div>
  );
}

/** Role and status of the account (PROF-02). */
function AccountStatus({ profile, role }: { profile: Profile | null; role: Role }) {
  const isSuspended = Boolean(profile?.suspended_at);
  return (
    <Card as="section" aria-labelledby="account-status">
      <h2 id="account-status" className="mb-2 text-xl">
        Account Status
      </h2>
      {profile && isSuspended && <SuspensionNotice userId={profile.user_id} />}
      <dl>
        <ProfileFact label="Status">
          <Badge tone={isSuspended ? 'danger' : 'action'}>{isSuspended ? 'Suspended' : 'Active'}</Badge>
        </ProfileFact>
        <ProfileFact label="Role">{roleLabels[role]}</ProfileFact>
        <ProfileFact label="Verified email">{profile?.email ?? 'None yet'}</ProfileFact>
        <ProfileFact label="OG Member">{profile?.og_badge ? 'Yes' : 'No'}</ProfileFact>
        {profile && <ProfileFact label="Member since">{formatDate(profile.created_at)}</ProfileFact>}
      </dl>
    </Card>
  );
}

/** Opens the identity provider's settings: password, e-mail addresses, devices, account deletion. */
function ManageAccount({ userId }: { userId: string }) {
  const openAccount = useOpenAccount();
  const project = useQuery(projectQueries.own(userId)).data;
  return (
    <Card as="section" aria-labelledby="manage-account" className="grid justify-items-start gap-4">
      <div>
        <h2 id="manage-account" className="mb-2 text-xl">
          Sign-in
        </h2>
        <p className="text-muted">
          Your picture, your password, your addresses and the devices you are signed in on. You can delete your account
          there too: your name, your addresses and your proofs are removed, and your points cannot be brought back.
          Rewards that we have not sent yet are cancelled, so wait for them first.
        </p>
        {project && (
          <p className="mt-2 text-muted">
            Your project goes with your account: its quests are closed, waiting proofs are paid as far as points are
            reserved for them, and what is left of the project’s points and plan is lost.
          </p>
        )}
      </div>
      <Button variant="secondary" onClick={openAccount}>
        Manage account
      </Button>
    </Card>
  );
}

/** The server makes five in an hour. */
const tooManyArchives = 'You have downloaded it several times just now. Please try again in an hour.';

const archiveToast = 'own data';

/** Export of the member's own data (BEY-24). */
function OwnData() {
  const archive = useOwnDataArchive();
  const handleDownload = async () => {
    try {
      downloadBlob(await archive.mutateAsync(), ownDataFileName());
      toast.success('Your data has been downloaded', archiveToast);
    } catch (error) {
      toast.error(describeError(error, { codes: { RATE_LIMITED: tooManyArchives } }), archiveToast);
    }
  };
  return (
    <Card as="section" aria-labelledby="own-data" className="grid justify-items-start gap-4">
      <div>
        <h2 id="own-data" className="mb-2 text-xl">
          Your data
        </h2>
        <p className="text-muted">
          Everything that is yours in one archive: profile, points, submissions, rewards, projects and quests, as JSON
          and as tables.
        </p>
      </div>
      <Button variant="secondary" isLoading={archive.isPending} onClick={handleDownload}>
        Download my data
      </Button>
    </Card>
  );
}

const actions = [
  { to: paths.profile, label: 'Edit profile', icon: UserRound },
  { to: paths.rewards, label: 'View rewards', icon: Gift },
  { to: paths.community, label: 'Go to the community', icon: Compass },
];

/** Links from the settings (PROF-02). */
function QuickActions() {
  return (
    <Card as="section" aria-labelledby="quick-actions">
      <h2 id="quick-actions" className="mb-2 text-xl">
        Quick Actions
      </h2>
      <ul>
        {actions.map(({ to, label, icon: Icon }) => (
          <li key={to} className="border-b last:border-b-0">
            <Link to={to} className="flex min-h-12 items-center gap-3 font-medium hover:text-action">
              <Icon aria-hidden="true" className="size-5 text-muted" />
              {label}
              <ChevronRight aria-hidden="true" className="ml-auto size-4 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Profile fields in the settings; Cancel goes back one page (PROF-02). */
function SettingsForm({ profile, initial }: { profile: Profile | null; initial: ProfileInput }) {
  const navigate = useNavigate();
  const { save, isSaving } = useSaveProfile();
  const [wantedEmail, setWantedEmail] = useState<string | null>(null);
  const form = useForm({
    defaultValues: initial,
    // What nobody has touched follows the saved profile, so that saving does not put back an older one.
    values: initial,
    resetOptions: { keepDirtyValues: true },
  });
  const { register, handleSubmit, reset, formState } = form;
  const { isDirty, dirtyFields } = formState;
  const { dialog } = useUnsavedChanges(isDirty);

  const handleSave = handleSubmit(async (input) => {
    const saved = await save(input, dirtyFields);
    if (!saved) return;
    setWantedEmail(dirtyFields.email ? input.email : null);
    showSaved(form, saved, input);
  });
  const handleCancel = () => {
    // Before going back, so that no confirmation is asked for. In a tab opened with this page, it is all that Cancel does.
    flushSync(() => reset(undefined, { keepDirtyValues: false }));
    navigate(-1);
  };

  return (
    <Form onSubmit={handleSave} aria-label="Profile settings">
      <ProfileFields register={register} isUsernameRequired />
      {!isDirty && <EmailNote stored={profile?.email ?? null} wanted={wantedEmail} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row">
        {/* As on the profile page: a save under way cannot be undone. */}
        <Button variant="secondary" disabled={isSaving} onClick={handleCancel}>
          Cancel
        </Button>
        <SubmitButton isSubmitting={isSaving}>Save changes</SubmitButton>
      </div>
      {dialog}
    </Form>
  );
}

/** Addresses that the member shares with projects, the consent given, and its withdrawal (BEY-10). */
function SharedEmails({ userId }: { userId: string }) {
  const consents = useQuery(submissionQueries.consents(userId));
  const [chosen, setChosen] = useState<EmailConsent | null>(null);
  const withdraw = useWithdrawConsent();

  const handleWithdraw = async () => {
    if (!chosen) return;
    await withdraw.mutateAsync(chosen.id);
    toast.success(`${chosen.project_name} ${chosen.handed_over_at ? 'no longer has' : 'will not get'} your address`);
  };

  return (
    <Card as="section" aria-labelledby="shared-emails">
      <h2 id="shared-emails" className="mb-2 text-xl">
        Shared addresses
      </h2>
      <QueryView
        query={consents}
        failure="Your shared addresses could not be loaded"
        pending={<Skeleton className="h-12" />}
      >
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-muted">You have not shared your email address with any project.</p>
          ) : (
            <ul>
              {rows.map((consent) => (
                <li key={consent.id} className="grid justify-items-start gap-2 border-b py-3 last:border-b-0">
                  <p className="font-medium [overflow-wrap:anywhere]">{consent.project_name}</p>
                  <p className="text-muted text-sm [overflow-wrap:anywhere]">
                    {consent.email}, for “{consent.quest_title}”, on {formatDate(consent.given_at)}
                  </p>
                  <p className="text-sm [overflow-wrap:anywhere]">{consent.statement}</p>
                  {!consent.handed_over_at && !consent.withdrawn_at && (
                    <p className="text-muted text-sm">The project gets it when your task is confirmed.</p>
                  )}
                  {consent.withdrawn_at ? (
                    <p className="text-muted text-sm">Ended on {formatDate(consent.withdrawn_at)}</p>
                  ) : (
                    <Button
                      variant="secondary"
                      aria-label={`Take back the address from ${consent.project_name}`}
                      onClick={() => setChosen(consent)}
                    >
                      Take back
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <ConfirmDialog
        isOpen={chosen !== null}
        onOpenChange={(isOpen) => !isOpen && setChosen(null)}
        title={`Take your address back from ${chosen?.project_name ?? ''}?`}
        consequence={
          chosen?.handed_over_at === null
            ? 'The project does not have it yet, and will not get it. You can still complete the task.'
            : 'It leaves the project’s list and exports, and the project is asked to delete copies. Your points stay.'
        }
        confirmLabel="Take back"
        onConfirm={handleWithdraw}
      />
    </Card>
  );
}
