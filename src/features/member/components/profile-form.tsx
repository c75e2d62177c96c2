import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UseFormRegister, UseFormReturn } from 'react-hook-form';
import { QueryView } from '@/components/query-view';
import { Field, Input } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import {
  accountQueries,
  type ChangedFields,
  type Profile,
  type ProfileInput,
  useUpdateProfile,
} from '@/features/account';
import { useSession } from '@/lib/auth';
import { describeError, type ErrorOverrides } from '@/lib/errors';

type Person = { name: string; email: string };

/**
 * Initial values of the forms. Before the first sync, the provider's name and the local part of the e-mail address
 * (PROF-05).
 */
export function initialProfile(profile: Profile | null, person: Person): ProfileInput {
  const email = profile?.email ?? person.email;
  return {
    displayName: profile?.display_name ?? person.name,
    username: profile?.username ?? person.email.split('@')[0] ?? '',
    email,
  };
}

const signIn = 'Please sign in to update your profile';

/** What keeps its own sentence, because retrying does not help. */
const refusals = new Set(['SUSPENDED', 'RESERVED_NAME', 'HIDDEN_CHARACTERS', 'NAME_TOO_LONG']);

/** Message for a failed save (PROF-04). */
export const saveProfileErrors: ErrorOverrides = {
  codes: { SESSION_EXPIRED: signIn, UNAUTHENTICATED: signIn },
  fallback: 'Failed to update profile. Please try again.',
  isMessageUseful: ({ code }) => refusals.has(code),
};

type ProfileFieldsProps = {
  register: UseFormRegister<ProfileInput>;
  /** Settings marks the username required, the profile page does not (PROF-03). */
  isUsernameRequired?: boolean;
  isReadOnly?: boolean;
};

/** Names and address. Marked required without a check here, as specified (PROF-03); the database keeps the old ones. */
export function ProfileFields({ register, isUsernameRequired = false, isReadOnly = false }: ProfileFieldsProps) {
  return (
    <>
      <Field label="Display name" isRequired>
        <Input {...register('displayName')} autoComplete="name" maxLength={120} readOnly={isReadOnly} />
      </Field>
      <Field label="Username" isRequired={isUsernameRequired} hint="Shown on the leaderboard, partly masked.">
        <Input {...register('username')} autoComplete="username" maxLength={80} readOnly={isReadOnly} />
      </Field>
      <Field
        label="Email"
        isRequired
        hint="Changing your email requires verification: it changes here once the new address is verified."
      >
        <Input {...register('email')} type="email" autoComplete="email" maxLength={254} readOnly={isReadOnly} />
      </Field>
    </>
  );
}

/** Shown after saving an unverified address: the stored one stays (C-65). */
export function EmailNote({ stored, wanted }: { stored: string | null; wanted: string | null }) {
  if (!wanted || wanted.trim().toLowerCase() === (stored ?? '').toLowerCase()) return null;
  return (
    <p role="status" className="rounded-control bg-warning-soft px-4 py-3 text-warning">
      Your names are saved. Your email stays {stored ?? 'as it was'} until {wanted} is verified.
    </p>
  );
}

const toastSubject = 'profile';

/** Saves what was changed in a profile form, and shows the result (PROF-04). Resolves to the saved profile, null on failure. */
export function useSaveProfile() {
  const { userId } = useSession();
  const { mutateAsync, isPending } = useUpdateProfile();
  const save = async (input: ProfileInput, changed: ChangedFields): Promise<Profile | null> => {
    if (!userId) {
      toast.error(signIn);
      return null;
    }
    try {
      const profile = await mutateAsync({ ...input, changed });
      toast.success('Profile updated successfully!', toastSubject);
      return profile;
    } catch (error) {
      toast.error(describeError(error, saveProfileErrors), toastSubject);
      return null;
    }
  };
  return { save, isSaving: isPending };
}

type ProfileForm = Pick<UseFormReturn<ProfileInput>, 'getValues' | 'reset' | 'setValue'>;

/**
 * Shows what is stored after saving `sent`: the database may have kept the old address (C-65). What has been typed since stays; true when
 * there is any, which is not saved yet.
 */
export function showSaved({ getValues, reset, setValue }: ProfileForm, saved: Profile, sent: ProfileInput): boolean {
  const now = getValues();
  const fields = ['displayName', 'username', 'email'] as const;
  const typedSince = fields.filter((field) => now[field] !== sent[field]);
  reset(initialProfile(saved, { name: '', email: sent.email }), { keepDirtyValues: false });
  for (const field of typedSince) setValue(field, now[field], { shouldDirty: true });
  return typedSince.length > 0;
}

type OwnProfileProps = {
  children: (own: { profile: Profile | null; initial: ProfileInput }) => ReactNode;
};

/** Waits for the profile. If it cannot be loaded there is no form, which would overwrite it with defaults. */
export function OwnProfile({ children }: OwnProfileProps) {
  const { userId, name, email } = useSession();
  const query = useQuery({
    ...accountQueries.profile(userId ?? ''),
    enabled: userId !== null,
    // Another tab may have saved it a moment ago, and this one would put its old names back.
    refetchOnWindowFocus: 'always',
  });
  const person = { name: name ?? '', email: email ?? '' };
  return (
    <QueryView query={query} failure="Your profile could not be loaded" pending={<OwnProfileLoading />}>
      {(profile) => children({ profile, initial: initialProfile(profile, person) })}
    </QueryView>
  );
}

/** The form, and what stands beside it on wide screens. */
export const profileColumns = 'grid items-start gap-6 lg:grid-cols-[minmax(0,42.5rem)_minmax(18rem,1fr)]';

function OwnProfileLoading() {
  return (
    <div className={profileColumns} aria-busy="true">
      <Skeleton shape="card" className="h-96" />
      <Skeleton shape="card" className="h-96" />
    </div>
  );
}

/** A row of a list of facts about the account. */
export function ProfileFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 border-b py-2.5 last:border-b-0 last:pb-0">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 font-semibold tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
