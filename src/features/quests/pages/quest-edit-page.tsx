import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import { ConfirmDialog, useAlert } from '@/components/alert-dialogs';
import { SubmitButton } from '@/components/form';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { OwnProject, type Project } from '@/features/projects';
import { useIsBeta } from '@/features/settings';
import { describeError, rethrow, toAppError } from '@/lib/errors';
import { isUuid, paths } from '@/lib/paths';
import { setFieldError, useQuestFormState } from '../components/form-fields';
import { QuestForm } from '../components/quest-form';
import { HoldNotice } from '../components/quest-status';
import { WaitingProofsWarning } from '../components/task-list';
import { useDeleteQuest, useUpdateQuest } from '../mutations';
import { pointsAction } from '../points-action';
import { type Quest, questQueries, type Task } from '../queries';
import { type QuestFormValues, removedWaiting, updatePayload } from '../quest-form';
import { type QuestLimits, toQuestLimits, unknownLimits } from '../quest-limits';
import { updateQuestErrors } from '../quest-problems';

/** Edit quest. Redirects to the dashboard when the user is not the owner or loading fails (QEDIT-01, C-42). */
export default function QuestEditPage() {
  const { id = '' } = useParams();
  // An invalid id in the URL must not become a database error, which would say that trying again may help.
  if (!isUuid(id)) return <Navigate to={paths.founder} replace />;
  return (
    <OwnProject
      loadingLabel="Loading quest..."
      whenMissing={<Navigate to={paths.founder} replace />}
      whenFailed={<LoadingFailed />}
    >
      {(project, userId) => <EditQuest key={id} id={id} project={project} userId={userId} />}
    </OwnProject>
  );
}

/**
 * The form starts from fresh data: with a cached copy, saving would undo later changes. While it is open, nothing is
 * refetched.
 */
const readOnce = { refetchOnMount: 'always', refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

function EditQuest({ id, project, userId }: { id: string; project: Project; userId: string }) {
  const quest = useQuery({ ...questQueries.detail(id), ...readOnce });
  const tasks = useQuery({ ...questQueries.tasks(id), ...readOnce });
  const bounds = useQuery({ ...questQueries.limits(userId), ...readOnce });
  const isBeta = useIsBeta();
  // Once shown, the form stays: live updates refetch the quest, and a failed refetch must not discard input.
  const [hasForm, setHasForm] = useState(false);

  if (!hasForm && (quest.isError || tasks.isError)) return <LoadingFailed />;
  const isReady = quest.isFetchedAfterMount && tasks.isFetchedAfterMount && bounds.isFetchedAfterMount;
  if (!isReady || quest.data === undefined || tasks.data === undefined) {
    return (
      <div className="page-column py-8">
        <Spinner label="Loading quest..." className="text-muted" />
      </div>
    );
  }
  if (quest.data === null || quest.data.startup_id !== project.id) {
    // A quest that was deleted here is not missed.
    return hasForm ? <Navigate to={paths.founder} replace /> : <QuestMissing />;
  }
  if (!hasForm) setHasForm(true);
  const limits = bounds.data ? toQuestLimits(bounds.data, isBeta, quest.data.budget_points) : unknownLimits;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Edit quest" />
      <QuestEditor quest={quest.data} tasks={tasks.data} limits={limits} project={project} />
    </div>
  );
}

/** An old notification or mail may lead here: without a word its link would seem to be wrong. */
function QuestMissing() {
  useEffect(() => toast.error('This quest was not found. It may have been deleted.'), []);
  return <Navigate to={paths.founder} replace />;
}

/** Redirects to the dashboard with the reason, so that a failure does not look like an empty page (TRUST-14). */
function LoadingFailed() {
  useEffect(() => toast.error('The quest could not be loaded. Please try again.'), []);
  return <Navigate to={paths.founder} replace />;
}

/** What the owner has agreed to. */
type SaveTerms = { isApprovingWaiting?: boolean; isReplacing?: boolean };

type Question = {
  title: string;
  sentence?: string;
  confirmLabel: string;
  accepted: SaveTerms;
  /** A link to what the answer depends on. */
  renderLink: (questId: string) => ReactNode;
};

/** Refusals that the owner can overrule, because the quest has changed while the form was open. */
const questions: Readonly<Record<string, Question>> = {
  PROOFS_WAITING: {
    title: 'Save without these tasks?',
    confirmLabel: 'Approve and pay all',
    accepted: { isApprovingWaiting: true },
    renderLink: (questId) => (
      <Link to={paths.questSubmissions(questId)} className="mt-2 inline-block font-semibold underline">
        Review them first
      </Link>
    ),
  },
  QUEST_CHANGED: {
    title: 'Replace the newer version?',
    confirmLabel: 'Save mine',
    accepted: { isReplacing: true },
    renderLink: (questId) => (
      <Link to={paths.questEdit(questId)} target="_blank" className="mt-2 inline-block font-semibold underline">
        See the newer version in a new tab
      </Link>
    ),
  },
};

const noTasks = 'A live quest needs at least one task. Add one, or pause the quest on your dashboard first.';

type QuestEditorProps = { quest: Quest; tasks: Task[]; limits: QuestLimits; project: Project };

/** The form of an owner's quest, initialised from the stored values (QEDIT-03, QEDIT-14). */
function QuestEditor({ quest, tasks, limits, project }: QuestEditorProps) {
  // Captured once when the form opens.
  const [bounds] = useState(() => ({ limits, stored: { quest, tasks } }));
  const form = useQuestFormState(bounds);
  const { isDirty, isSubmitting } = form.formState;
  const unsaved = useUnsavedChanges(isDirty);
  const updateQuest = useUpdateQuest(quest.id);
  const alert = useAlert();
  const [isChecking, setIsChecking] = useState(false);
  const [asking, setAsking] = useState<(Question & { values: QuestFormValues; terms: SaveTerms }) | null>(null);

  const send = async (values: QuestFormValues, terms: SaveTerms) => {
    // Publishing needs a task, and so does staying published: an empty quest on the board is of use to nobody.
    if (quest.status === 'published' && values.tasks.length === 0) return alert(noTasks);
    try {
      await updateQuest.mutateAsync({
        payload: updatePayload(values),
        isApprovingWaiting: terms.isApprovingWaiting ?? removedWaiting(values, tasks) > 0,
        updatedAt: terms.isReplacing ? undefined : bounds.stored.quest.updated_at,
        onChecking: () => setIsChecking(true),
      });
    } catch (error) {
      const question = questions[toAppError(error).code];
      if (question) return setAsking({ ...question, values, terms, sentence: describeError(error) });
      if (setFieldError(form, error)) return;
      return alert(describeError(error, updateQuestErrors), pointsAction(error));
    } finally {
      setIsChecking(false);
    }
    toast.success('Quest saved');
    unsaved.leave(paths.founder);
  };

  return (
    <>
      {unsaved.dialog}
      <PageHeader
        title="Edit quest"
        back={{ to: paths.founder, label: 'Back to Dashboard' }}
        actions={
          <>
            <DeleteQuest quest={quest} onDeleted={() => unsaved.leave(paths.founder)} />
            <SubmitButton form="edit-quest" variant="secondary" isSubmitting={isSubmitting}>
              Save Changes
            </SubmitButton>
          </>
        }
      />
      <div className="grid gap-6">
        <HoldNotice quest={quest} />
        <QuestForm
          id="edit-quest"
          label="Edit quest"
          form={form}
          bounds={bounds}
          project={project}
          onSave={(values) => send(values, {})}
          isChecking={isChecking}
          actions={
            <SubmitButton isSubmitting={isSubmitting} className="grow">
              Save Quest
            </SubmitButton>
          }
        />
      </div>
      {asking && (
        <ConfirmDialog
          key={asking.title}
          isOpen
          // Closes only this question, not the next one that confirming it may have opened.
          onOpenChange={() => setAsking((now) => (now === asking ? null : now))}
          title={asking.title}
          consequence={asking.sentence}
          confirmLabel={asking.confirmLabel}
          onConfirm={() => send(asking.values, { ...asking.terms, ...asking.accepted })}
        >
          {asking.renderLink(quest.id)}
        </ConfirmDialog>
      )}
    </>
  );
}

type DeleteQuestProps = { quest: Quest; onDeleted: () => void };

/**
 * Deletes the quest after confirmation, and shows that on the dashboard (QEDIT-15). Pending proofs are paid, or
 * reviewed first (C-98).
 */
function DeleteQuest({ quest, onDeleted }: DeleteQuestProps) {
  const [isAsking, setIsAsking] = useState(false);
  const deleteQuest = useDeleteQuest();
  const waiting = quest.pending_count;
  // A proof came while the form was open.
  const [wasRefused, setWasRefused] = useState(false);
  const isApprovingWaiting = waiting > 0 || wasRefused;
  const alert = useAlert();

  const handleConfirm = async () => {
    try {
      await deleteQuest.mutateAsync({ id: quest.id, isApprovingWaiting });
    } catch (error) {
      setWasRefused(toAppError(error).code === 'PROOFS_WAITING');
      return rethrow({ prefix: 'Failed to delete quest', isMessageUseful: () => true })(error);
    }
    onDeleted();
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
        {waiting > 0 && <WaitingProofsWarning waiting={waiting} questId={quest.id} what="Deleting the quest" />}
        <p className="mt-2 text-muted">Members keep what they earned. Unspent points come back to your wallet.</p>
      </ConfirmDialog>
    </>
  );
}
