import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Controller, FormProvider, useForm } from 'react-hook-form';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Form, SubmitButton } from '@/components/form';
import { PageHeader, StickyAction } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Spinner } from '@/components/ui/spinner';
import { Textarea } from '@/components/ui/textarea';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { OwnStartup, type Startup } from '@/features/projects';
import { AppError, errorMessage } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { FormSection, NumberInput } from '../components/form-fields';
import { HoldNotice, statusLabel } from '../components/quest-status';
import { TaskList } from '../components/task-editor';
import { type Campaign, campaignQueries, type Task } from '../detail-queries';
import { type CampaignFormValues, campaignPayload, campaignSchema, campaignValues, saveProblem } from '../edit-form';
import { useCampaignForm } from '../form-contexts';
import { useDeleteCampaign, useUpdateCampaign } from '../mutations';

/** Edit campaign. Whoever does not own it, and whatever cannot be loaded, leads to the dashboard (QEDIT-01, C-42). */
export function CampaignEditPage() {
  const { id = '' } = useParams();
  return (
    <OwnStartup
      loadingLabel="Loading campaign..."
      whenMissing={<Navigate to={paths.startup} replace />}
      whenFailed={<LoadingFailed />}
    >
      {(startup) => <EditCampaign key={id} id={id} startup={startup} />}
    </OwnStartup>
  );
}

/**
 * The form starts from what is stored now: from an older copy, saving would undo what was changed since. Once it is
 * open, nothing is read under it.
 */
const readOnce = { refetchOnMount: 'always', refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

function EditCampaign({ id, startup }: { id: string; startup: Startup }) {
  const campaign = useQuery({ ...campaignQueries.detail(id), ...readOnce });
  const tasks = useQuery({ ...campaignQueries.tasks(id), ...readOnce });

  if (campaign.isError || tasks.isError) return <LoadingFailed />;
  const isReady = campaign.isFetchedAfterMount && tasks.isFetchedAfterMount;
  if (!isReady || campaign.data === undefined || tasks.data === undefined) {
    return (
      <div className="page-column py-8">
        <Spinner label="Loading campaign..." className="text-muted" />
      </div>
    );
  }
  if (campaign.data === null || campaign.data.startup_id !== startup.id) return <Navigate to={paths.startup} replace />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Edit campaign" />
      <CampaignEditor campaign={campaign.data} tasks={tasks.data} />
    </div>
  );
}

/** Goes to the dashboard and says why, so that a failure does not look like an empty place (TRUST-14). */
function LoadingFailed() {
  useEffect(() => toast.error('The campaign could not be loaded. Please try again.'), []);
  return <Navigate to={paths.startup} replace />;
}

/** The edit form of an own quest, from what is stored when it opens (QEDIT-03, QEDIT-14). */
function CampaignEditor({ campaign, tasks }: { campaign: Campaign; tasks: Task[] }) {
  const form = useForm<CampaignFormValues>({
    resolver: zodResolver(campaignSchema),
    defaultValues: campaignValues(campaign, tasks),
    mode: 'onTouched',
  });
  const updateCampaign = useUpdateCampaign(campaign.id);
  const alert = useAlert();
  const navigate = useNavigate();
  const { isDirty, isSubmitting } = form.formState;
  const unsaved = useUnsavedChanges(isDirty);

  const save = async (values: CampaignFormValues) => {
    const problem = saveProblem(values);
    if (problem) return alert(problem);
    try {
      await updateCampaign.mutateAsync(campaignPayload(values));
    } catch (error) {
      return alert(`Failed to update campaign: ${errorMessage(error)}`);
    }
    unsaved.allowLeaving();
    toast.success('Quest saved');
    navigate(paths.startup);
  };
  const handleInvalid = () => {
    const problem = saveProblem(form.getValues());
    if (problem) alert(problem);
  };

  return (
    <FormProvider {...form}>
      {unsaved.dialog}
      <Form
        aria-label="Edit campaign"
        onSubmit={form.handleSubmit(save, handleInvalid)}
        className="mx-auto grid max-w-3xl gap-6"
      >
        <PageHeader
          title="Edit campaign"
          back={{ to: paths.startup, label: 'Back to Dashboard' }}
          actions={
            <>
              <DeleteCampaign campaign={campaign} onDeleted={unsaved.allowLeaving} />
              <SubmitButton isSubmitting={isSubmitting}>Save Changes</SubmitButton>
            </>
          }
        />
        <HoldNotice campaign={campaign} />
        <CampaignDetails status={campaign.status} />
        <TaskList stored={tasks} />
        <StickyAction>
          <SubmitButton isSubmitting={isSubmitting} className="max-sm:w-full">
            Save Quest
          </SubmitButton>
        </StickyAction>
      </Form>
    </FormProvider>
  );
}

/** The quest itself (QEDIT-04). The status box always says Active; what is stored stands below it (C-27). */
function CampaignDetails({ status }: { status: Campaign['status'] }) {
  const { control, register, formState } = useCampaignForm();
  const { errors } = formState;
  return (
    <FormSection title="Campaign Details">
      <Field label="Title" isRequired error={errors.title?.message}>
        <Input {...register('title')} maxLength={200} />
      </Field>
      <Field label="Summary" hint="One or two lines for the quest's card." isRequired error={errors.summary?.message}>
        <Input {...register('summary')} maxLength={500} />
      </Field>
      <Field label="Details" hint="Links and **bold** work." isRequired error={errors.details?.message}>
        <Textarea {...register('details')} rows={6} maxLength={10_000} />
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label="Points budget" hint="100 to 5000 points" isRequired error={errors.budgetPoints?.message}>
          <Controller
            control={control}
            name="budgetPoints"
            render={({ field }) => <NumberInput {...field} fallback={0} max={1_000_000} />}
          />
        </Field>
        <div className="grid gap-1.5">
          <Field label="Status">
            <Input readOnly value="Active" />
          </Field>
          <p className="flex items-center gap-2 text-muted text-sm">
            Now: <StatusBadge status={statusLabel(status)} />
          </p>
        </div>
      </div>
    </FormSection>
  );
}

type DeleteCampaignProps = { campaign: Campaign; onDeleted: () => void };

/** Deletes the quest after asking, and says so on the dashboard (QEDIT-15). */
function DeleteCampaign({ campaign, onDeleted }: DeleteCampaignProps) {
  const [isAsking, setIsAsking] = useState(false);
  const deleteCampaign = useDeleteCampaign();
  const alert = useAlert();
  const navigate = useNavigate();

  const handleConfirm = async () => {
    try {
      await deleteCampaign.mutateAsync(campaign.id);
    } catch (error) {
      throw new AppError('DELETE_FAILED', `Failed to delete campaign: ${errorMessage(error)}`);
    }
    onDeleted();
    navigate(paths.startup);
    alert('Campaign deleted successfully!');
  };

  return (
    <>
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete Campaign
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Delete “${campaign.title}”?`}
        consequence={`Are you sure you want to delete "${campaign.title}"? This action cannot be undone and will remove all associated tasks and submissions.`}
        confirmLabel="Delete campaign"
        onConfirm={handleConfirm}
      >
        <p className="mt-2 text-muted">Members keep what they earned. Unspent points come back to your wallet.</p>
      </ConfirmDialog>
    </>
  );
}
