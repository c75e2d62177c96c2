import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import * as z from 'zod/mini';
import { CopyButton } from '@/components/copy-button';
import { Form, SubmitButton } from '@/components/form';
import { QueryView } from '@/components/query-view';
import { takeLostFocus } from '@/components/take-focus';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field, FieldError, Input } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { useZodForm } from '@/components/zod-form';
import { getEnv } from '@/lib/env';
import { describeError, type ErrorOverrides } from '@/lib/errors';
import { paths } from '@/lib/paths';
import * as databaseSentences from '@/types/database-errors';
import { useSetPublicProfile } from '../mutations';
import { rewardQueries } from '../queries';

const schema = z.object({
  handle: z
    .string()
    .check(z.trim(), z.toLowerCase(), z.regex(/^[a-z0-9](-?[a-z0-9]){2,29}$/i, databaseSentences.INVALID_HANDLE)),
});

const saveErrors: ErrorOverrides = {
  prefix: 'Your profile was not saved',
  codes: { RATE_LIMITED: 'You have changed it too many times today. Please try again tomorrow.' },
};

type Own = { handle: string; is_public: boolean } | null;

/** Makes /m/{handle} public, after saying what it shows, and hides it again (BEY-08). */
export function PublicProfileCard({ userId }: { userId: string }) {
  const own = useQuery(rewardQueries.ownProfile(userId));
  return (
    <Card as="section" aria-labelledby="public-profile" className="grid max-w-form gap-4">
      <div>
        <h2 id="public-profile" className="text-2xl">
          Public profile
        </h2>
        <p className="text-muted">
          A page of your own with your name, level, streak, badges, and how many tasks and projects you helped with. No
          quests, no proofs, no address. Only you decide whether it is there.
        </p>
      </div>
      <QueryView query={own} failure="Your public profile could not be loaded">
        {(profile) => <ProfileForm profile={profile} />}
      </QueryView>
    </Card>
  );
}

function ProfileForm({ profile }: { profile: Own }) {
  const save = useSetPublicProfile();
  // `values` follows the stored handle without moving the focus from the button that stored it.
  const form = useZodForm(schema, { values: { handle: profile?.handle ?? '' } });
  const isPublic = profile?.is_public ?? false;
  const submit = useRef<HTMLButtonElement>(null);
  const wasPublic = useRef(isPublic);
  useEffect(() => {
    // "Hide profile" was pressed and has unmounted, taking the focus with it.
    if (wasPublic.current && !isPublic) takeLostFocus(submit.current);
    wasPublic.current = isPublic;
  }, [isPublic]);
  const problem = form.formState.errors.handle?.message;
  const set = async (handle: string, isShown: boolean) => {
    try {
      await save.mutateAsync({ handle, isPublic: isShown });
      toast.success(isShown ? 'Your profile is public' : 'Your profile is hidden');
    } catch {
      // Shown below; what was typed stays.
    }
  };
  return (
    <>
      {profile && isPublic && <ProfileLink handle={profile.handle} />}
      <Form
        className="grid gap-4"
        aria-label="Public profile"
        onSubmit={form.handleSubmit(({ handle }) => set(handle, true))}
      >
        <Field label="Handle" hint={`Your page is /m/${profile?.handle ?? 'your-handle'}`} error={problem}>
          <Input autoComplete="off" autoCapitalize="none" spellCheck={false} {...form.register('handle')} />
        </Field>
        {save.isError && !problem && <FieldError>{describeError(save.error, saveErrors)}</FieldError>}
        <div className="flex flex-wrap gap-3">
          <SubmitButton ref={submit} variant="secondary" isSubmitting={save.isPending}>
            {isPublic ? 'Change handle' : 'Make it public'}
          </SubmitButton>
          {profile && isPublic && (
            // Blocked during a save, because it sends the old handle. Not `disabled`, which would drop the focus after a press.
            <Button
              variant="ghost"
              aria-disabled={save.isPending}
              onClick={save.isPending ? undefined : () => set(profile.handle, false)}
            >
              Hide profile
            </Button>
          )}
        </div>
      </Form>
    </>
  );
}

function ProfileLink({ handle }: { handle: string }) {
  const path = paths.memberProfile(handle);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Link to={path} className="font-medium text-action underline [overflow-wrap:anywhere]">
        {path}
      </Link>
      <CopyButton text={new URL(path, getEnv().VITE_SITE_URL ?? window.location.origin).href} label="Copy link" />
    </div>
  );
}
