import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Controller, FormProvider, useForm } from 'react-hook-form';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
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
import { OwnProject, type Project } from '@/features/projects';
import { AppError, describeError, errorMessage, toAppError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { checkingSentence } from '@/lib/send-once';
import { FormSection, NumberInput } from '../components/form-fields';
import { HoldNotice, statusLabel } from '../components/quest-status';
import { TaskList } from '../components/task-editor';
import { WaitingProofs } from '../components/waiting-proofs';
import {
  type QuestEditValues,
  questEditPayload,
  questEditSchema,
  questEditValues,
  removedWaiting,
  saveProblem,
  updateQuestErrors,
} from '../edit-form';
import { useQuestEditForm } from '../form-contexts';
import { useDeleteQuest, useUpdateQuest } from '../mutations';
import { type Quest, questQueries, type Task } from '../queries';

/** Edit quest. Whoever does not own it, and whatever cannot be loaded, leads to the dashboard (QEDIT-01, C-42). */
export function QuestEditPage() {
  const { id = '' } = useParams();
  return (
    <OwnProject
      loadingLabel="Loading quest..."
      whenMissing={<Navigate to={paths.founder} replace />}
      whenFailed={<LoadingFailed />}
    >
      {(project) => <EditQuest key={id} id={id} project={project} />}
    </OwnProject>
  );
}

/**
 * The form starts from what is stored now: from an older copy, saving would undo what was changed since. Once it is
 * open, nothing is read under it.
 */
const readOnce = { refetchOnMount: 'always', refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

function EditQuest({ id, project }: { id: string; project: Project }) {
  const quest = useQuery({ ...questQueries.detail(id), ...readOnce });
  const tasks = useQuery({ ...questQueries.tasks(id), ...readOnce });

  if (quest.isError || tasks.isError) return <LoadingFailed />;
  const isReady = quest.isFetchedAfterMount && tasks.isFetchedAfterMount;
  if (!isReady || quest.data === undefined || tasks.data === undefined) {
    return (
      <div className="page-column py-8">
        <Spinner label="Loading quest..." className="text-muted" />
      </div>
    );
  }
  if (quest.data === null || quest.data.startup_id !== project.id) return <Navigate to={paths.founder} replace />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Edit quest" />
      <QuestEditor quest={quest.data} tasks={tasks.data} />
    </div>
  );
}

/** Goes to the dashboard and says why, so that a failure does not look like an empty place (TRUST-14). */
function LoadingFailed() {
  useEffect(() => toast.error('The quest could not be loaded. Please try again.'), []);
  return <Navigate to={paths.founder} replace />;
}

/** The edit form of an own quest, from what is stored when it opens (QEDIT-03, QEDIT-14). */
function QuestEditor({ quest, tasks }: { quest: Quest; tasks: Task[] }) {
  const form = useForm<QuestEditValues>({
    resolver: zodResolver(questEditSchema),
    defaultValues: questEditValues(quest, tasks),
    mode: 'onTouched',
  });
  const updateQuest = useUpdateQuest(quest.id);
  const alert = useAlert();
  const navigate = useNavigate();
  const { isDirty, isSubmitting } = form.formState;
  const [isChecking, setIsChecking] = useState(false);
  const [waiting, setWaiting] = useState<{ values: QuestEditValues; sentence: string } | null>(null);
  const unsaved = useUnsavedChanges(isDirty);

  const send = async (values: QuestEditValues, isApprovingWaiting: boolean) => {
    try {
      const onChecking = () => setIsChecking(true);
      await updateQuest.mutateAsync({ payload: questEditPayload(values), isApprovingWaiting, onChecking });
    } catch (error) {
      // A proof came while the form was open.
      if (toAppError(error).code === 'PROOFS_WAITING') return setWaiting({ values, sentence: errorMessage(error) });
      return alert(describeError(error, updateQuestErrors));
    } finally {
      setIsChecking(false);
    }
    unsaved.allowLeaving();
    toast.success('Quest saved');
    navigate(paths.founder);
  };
  const save = (values: QuestEditValues) => {
    const problem = saveProblem(values);
    return problem ? alert(problem) : send(values, removedWaiting(values, tasks) > 0);
  };
  const handleInvalid = () => {
    const problem = saveProblem(form.getValues());
    if (problem) alert(problem);
  };

  return (
    <FormProvider {...form}>
      {unsaved.dialog}
      <Form
        aria-label="Edit quest"
        onSubmit={form.handleSubmit(save, handleInvalid)}
        className="mx-auto grid max-w-3xl gap-6"
      >
        <PageHeader
          title="Edit quest"
          back={{ to: paths.founder, label: 'Back to Dashboard' }}
          actions={
            <>
              <DeleteQuest quest={quest} onDeleted={unsaved.allowLeaving} />
              <SubmitButton isSubmitting={isSubmitting}>Save Changes</SubmitButton>
            </>
          }
        />
        <HoldNotice quest={quest} />
        <QuestDetailsFields status={quest.status} />
        <TaskList stored={tasks} />
        {isChecking && <p role="status">{checkingSentence}</p>}
        <StickyAction>
          <SubmitButton isSubmitting={isSubmitting} className="max-sm:w-full">
            Save Quest
          </SubmitButton>
        </StickyAction>
      </Form>
      {waiting && (
        <ConfirmDialog
          isOpen
          onOpenChange={() => setWaiting(null)}
          title="Save without these tasks?"
          consequence={waiting.sentence}
          confirmLabel="Approve and pay all"
          onConfirm={() => send(waiting.values, true)}
        >
          <Link to={paths.questSubmissions(quest.id)} className="mt-2 inline-block font-semibold underline">
            Review them first
          </Link>
        </ConfirmDialog>
      )}
    </FormProvider>
  );
}

/** The quest itself (QEDIT-04). The status box always says Active; what is stored stands below it (C-27). */
function QuestDetailsFields({ status }: { status: Quest['status'] }) {
  const { control, register, formState } = useQuestEditForm();
  const { errors } = formState;
  return (
    <FormSection title="Quest Details">
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

type DeleteQuestProps = { quest: Quest; onDeleted: () => void };

/** Deletes the quest after asking, and says so on the dashboard (QEDIT-15). Proofs that wait are paid, or reviewed first (C-98). */
function DeleteQuest({ quest, onDeleted }: DeleteQuestProps) {
  const [isAsking, setIsAsking] = useState(false);
  const deleteQuest = useDeleteQuest();
  const waiting = quest.pending_count;
  // A proof came while the form was open.
  const [wasRefused, setWasRefused] = useState(false);
  const isApprovingWaiting = waiting > 0 || wasRefused;
  const alert = useAlert();
  const navigate = useNavigate();

  const handleConfirm = async () => {
    try {
      await deleteQuest.mutateAsync({ id: quest.id, isApprovingWaiting });
    } catch (error) {
      setWasRefused(toAppError(error).code === 'PROOFS_WAITING');
      throw new AppError('DELETE_FAILED', `Failed to delete quest: ${errorMessage(error)}`);
    }
    onDeleted();
    navigate(paths.founder);
    alert('Quest deleted successfully!');
  };

  return (
    <>
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete Quest
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Delete “${quest.title}”?`}
        consequence={`Are you sure you want to delete "${quest.title}"? This action cannot be undone and will remove all associated tasks and submissions.`}
        confirmLabel={isApprovingWaiting ? 'Approve and pay all' : 'Delete quest'}
        onConfirm={handleConfirm}
      >
        {waiting > 0 && <WaitingProofs waiting={waiting} questId={quest.id} what="Deleting the quest" />}
        <p className="mt-2 text-muted">Members keep what they earned. Unspent points come back to your wallet.</p>
      </ConfirmDialog>
    </>
  );
}
