import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { useAlert } from '@/components/alert-dialogs';
import { Form, SubmitButton } from '@/components/form';
import { StickyAction } from '@/components/main-action';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field, Input, Select, Textarea } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { useFormDraft, validationTime } from '@/components/zod-form';
import { describeError } from '@/lib/errors';
import { formatNumber } from '@/lib/format';
import { ensureScheme } from '@/lib/web-address';
import { type ProfileSubmission, projectErrors, useUpdateProject } from '../mutations';
import { INDUSTRIES } from '../project';
import { type Project, projectQueries } from '../queries';
import {
  createProfileSchema,
  editProfileSchema,
  emptyProfile,
  type ProfileFormValues,
  profileDrafts,
  profileLimits,
  profileValues,
} from '../schema';
import { LogoField, useLogo } from './logo-field';
import { ProjectCard } from './project-card';

type ProfileFormProps = {
  /** Creating also asks for the industry and has another error for a missing name (SPROF-03, SPROF-06). */
  kind: 'create' | 'edit';
  defaultValues: ProfileFormValues;
  /** The user for whom this browser keeps what is typed into a new profile; none for a stored one, which may change meanwhile. */
  draftOf?: string;
  submitLabel: ReactNode;
  cancelTo: string;
  /** Resolves to true when saved; the page shows failures. `changed`: the values that differ from the default ones. */
  onSubmit: (submission: ProfileSubmission, changed: Partial<ProfileFormValues>) => Promise<boolean>;
  /** `leave`: see useUnsavedChanges. */
  onSaved?: (leave: ReturnType<typeof useUnsavedChanges>['leave']) => void;
};

/** The form of a project's profile, with a preview (SPROF-01). */
export function ProfileForm(props: ProfileFormProps) {
  const { kind, defaultValues, draftOf = null, submitLabel, cancelTo, onSubmit, onSaved } = props;
  const isNew = kind === 'create';
  const navigate = useNavigate();
  const upload = useLogo();
  const hasUpload = upload.logo !== null;
  const validate = zodResolver(isNew ? createProfileSchema : editProfileSchema);
  const form = useForm<ProfileFormValues>({
    // A chosen file takes precedence over the logo's URL.
    resolver: (values, ...rest) => validate(hasUpload ? { ...values, logoUrl: '' } : values, ...rest),
    defaultValues,
    // A form that opens with a cached copy must not put back what was changed since: what nobody has touched follows.
    values: defaultValues,
    resetOptions: { keepDirtyValues: true },
    ...validationTime,
  });
  const { errors, isDirty, dirtyFields, isSubmitting } = form.formState;
  const draft = useFormDraft(form, {
    drafts: profileDrafts,
    userId: draftOf,
    id: 'new',
    empty: emptyProfile,
    firstField: 'name',
  });
  // Without a draft nothing keeps what was typed, and whoever is signed out meanwhile is told that it is lost.
  const unsaved = useUnsavedChanges(isDirty || hasUpload, draftOf === null ? undefined : draft.forget);

  /** '120 / 2,000': a character counter, shown before the limit is exceeded (C-113). */
  const counter = (field: keyof typeof profileLimits) =>
    `${formatNumber(form.watch(field).length)} / ${formatNumber(profileLimits[field])}`;
  const prefixAddress = (field: 'website' | 'logoUrl') => () => {
    const value = form.getValues(field);
    if (!value.startsWith('/')) form.setValue(field, ensureScheme(value), { shouldValidate: true });
  };
  const handleValid = async (values: ProfileFormValues) => {
    const isDirtyField = ([field]: [string, string]) => dirtyFields[field as keyof ProfileFormValues];
    const changed = Object.fromEntries(Object.entries(values).filter(isDirtyField));
    if (!(await onSubmit({ values, logo: upload.logo }, changed))) return;
    draft.forget();
    onSaved?.(unsaved.leave);
  };

  const { name, industry, description, logoUrl } = form.watch();
  return (
    <>
      {unsaved.dialog}
      {draft.notice && <div className="mb-6">{draft.notice}</div>}
      <Form
        aria-label="Project profile"
        onSubmit={form.handleSubmit(handleValid)}
        className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]"
      >
        <Card padding="lg" className="grid gap-5">
          <Field
            label={isNew ? 'Project name' : 'Company name'}
            isRequired
            error={errors.name?.message}
            aside={counter('name')}
          >
            <Input {...form.register('name')} autoComplete="organization" />
          </Field>
          {isNew && (
            <Field label="Industry" isRequired error={errors.industry?.message}>
              <Select {...form.register('industry')}>
                <option value="">Select an industry</option>
                {INDUSTRIES.map((industry) => (
                  <option key={industry}>{industry}</option>
                ))}
              </Select>
            </Field>
          )}
          <Field label="Website" error={errors.website?.message}>
            <Input
              {...form.register('website', { onBlur: prefixAddress('website') })}
              type="url"
              inputMode="url"
              autoComplete="url"
            />
          </Field>
          <LogoField
            upload={upload}
            name={name}
            currentUrl={logoUrl}
            onClear={() => form.setValue('logoUrl', '', { shouldDirty: true, shouldValidate: true })}
          />
          <Field
            label="Logo URL"
            hint="Instead of a file: the address of a picture, which we copy."
            error={hasUpload ? undefined : errors.logoUrl?.message}
          >
            <Input
              {...form.register('logoUrl', { onBlur: prefixAddress('logoUrl') })}
              inputMode="url"
              autoComplete="off"
              readOnly={hasUpload}
            />
          </Field>
          <Field
            label="Description"
            hint="What you build and for whom, in a sentence or two."
            error={errors.description?.message}
            aside={counter('description')}
          >
            <Textarea {...form.register('description')} />
          </Field>
        </Card>
        {/* On phones, `contents` puts its children into the form's column, so that the action bar sticks along the whole form. */}
        <div className="contents lg:sticky lg:top-20 lg:grid lg:gap-4">
          <h2 className="text-xl">As members will see it</h2>
          <Preview name={name} industry={industry} description={description} logoUrl={upload.previewUrl ?? logoUrl} />
          <StickyAction>
            <div className="flex grow gap-3">
              {/* While a chosen file is being read, the profile would be saved without it. */}
              <SubmitButton isSubmitting={isSubmitting || upload.isReading} className="grow">
                {submitLabel}
              </SubmitButton>
              {/* A save under way cannot be undone, and when it fails, what was typed is still needed. */}
              <Button variant="secondary" disabled={isSubmitting} onClick={() => void navigate(cancelTo)}>
                Cancel
              </Button>
            </div>
          </StickyAction>
        </div>
      </Form>
    </>
  );
}

type PreviewProps = Pick<ProfileFormValues, 'name' | 'industry' | 'description' | 'logoUrl'>;

/** The project's card on the hub. Inert, because a new project has no page yet. */
function Preview({ name, industry, description, logoUrl }: PreviewProps) {
  const project = {
    id: 'preview',
    name: name.trim() || 'Your project',
    industry: industry || 'Industry',
    description: description.trim() || 'What you build and for whom appears here.',
    logo_url: logoUrl || null,
  };
  return (
    <section aria-label="Preview" inert>
      <ProjectCard key={project.logo_url} as="article" project={project} />
    </section>
  );
}

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
  const queryClient = useQueryClient();
  const handleSubmit = async ({ values, logo }: ProfileSubmission, changed: Partial<ProfileFormValues>) => {
    try {
      // Somebody may have saved it since this form was filled: what was not edited here is sent as it is now.
      const now = await queryClient.fetchQuery({ ...projectQueries.detail(project.id), staleTime: 0 });
      await update.mutateAsync({ values: now ? { ...profileValues(now), ...changed } : values, logo });
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
