import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '@/components/alert-dialogs';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { ScrollRegion } from '@/components/ui/scroll-region';
import { toast } from '@/components/ui/toast';
import { settingsQueries } from '@/features/settings';
import { describeError, rethrow, toAppError } from '@/lib/errors';
import { formatDate, formatPoints } from '@/lib/format';
import { ReasonDialog } from '../components/reason-dialog';
import { isMadeBefore } from '../mutations';
import {
  rejectedMeanwhile,
  useApproveProject,
  useCheckProject,
  useConfirmChange,
  useRejectProject,
  useRevokeVerification,
} from './mutations';
import { type AdminProject, type ProjectDecision, projectQueries } from './queries';

/** The decisions that an admin can make on a project. */
export type Decision = 'approve' | 'reject' | 'check' | 'confirm-change' | 'revoke';

type ProjectActionsProps = {
  project: AdminProject;
  /** A decision that needs confirmation. */
  onDecide: (decision: Decision) => void;
  onDone: () => void;
};

/**
 * The available decisions on a project. Approving a pending one takes one press; whatever overrules an earlier decision
 * or affects the owner needs confirmation (C-91).
 */
export function ProjectActions({ project, onDecide, onDone }: ProjectActionsProps) {
  const approve = useApproveProject();
  const handleApprove = async () => {
    try {
      await approve.mutateAsync({ projectId: project.id, shownAs: project.status });
      onDone();
      toast.success(`${project.name} is verified`, project.id);
    } catch (error) {
      // Another admin may have been faster, or this approval went through and its answer was lost.
      onDone();
      if (toAppError(error).code === rejectedMeanwhile) return onDecide('approve');
      toast.error(describeError(error, approveFailure), project.id);
    }
  };
  return (
    <>
      {project.status !== 'verified' && (
        <Button
          isLoading={approve.isPending}
          onClick={project.status === 'pending' ? handleApprove : () => onDecide('approve')}
        >
          Approve
        </Button>
      )}
      {project.status === 'pending' && (
        <Button variant="secondary" onClick={() => onDecide('reject')}>
          Reject
        </Button>
      )}
      {project.changed_at && (
        <Button variant="secondary" onClick={() => onDecide('confirm-change')}>
          Accept change
        </Button>
      )}
      {project.status === 'verified' && !project.checked_at && (
        <Button variant="secondary" onClick={() => onDecide('check')}>
          Mark as checked
        </Button>
      )}
    </>
  );
}

const approveFailure = { prefix: 'Failed to approve project' };

type DecisionDialogProps = { decision: Decision; project: AdminProject; onDone: () => void; onClose: () => void };

/** Confirms a decision, explains its consequences, and makes it. */
export function DecisionDialog({ decision, project, onDone, onClose }: DecisionDialogProps) {
  const reject = useRejectProject();
  const check = useCheckProject();
  const revoke = useRevokeVerification();
  const confirm = useConfirmChange();
  const { id: projectId, name } = project;
  const subject = { type: 'startup', id: projectId } as const;
  const finish = (words: string) => {
    onDone();
    toast.success(words);
  };

  if (decision === 'approve')
    return <ApproveDialog project={project} onDone={finish} onSettled={onDone} onClose={onClose} />;
  if (decision === 'confirm-change') {
    return (
      <ConfirmDialog
        isOpen
        onOpenChange={onClose}
        title={`Accept the change to “${name}”?`}
        consequence="You have checked the new name or website. The project leaves the list of changed ones."
        confirmLabel="Accept change"
        isDangerous={false}
        onConfirm={async () => {
          await confirm.mutateAsync(projectId).finally(onDone);
          finish(`The change to ${name} is accepted`);
        }}
      />
    );
  }
  if (decision === 'check') {
    return (
      <ReasonDialog
        title={`Mark “${name}” as checked?`}
        consequence="You have looked at the project and it is in order. What members earned from its trial points can be redeemed at once."
        label="Note"
        hint="For the audit log. Optional."
        confirmLabel="Mark as checked"
        isDangerous={false}
        onConfirm={async (note) => {
          await check.mutateAsync({ projectId, note });
          finish(`${name} is checked`);
        }}
        failure={(error) => describeError(error, { prefix: 'Failed to mark the project as checked' })}
        subject={subject}
        onGiveUp={onDone}
        onClose={onClose}
      />
    );
  }
  if (decision === 'revoke') {
    return (
      <ReasonDialog
        title={`Revoke the verification of “${name}”?`}
        consequence="The project leaves the public lists and its published quests go on hold; their points stay reserved. The owner reads your reason and may appeal once. You can approve the project again."
        missing="Please give a reason"
        confirmLabel="Revoke verification"
        onConfirm={async (reason) => {
          await revoke.mutateAsync({ projectId, reason });
          finish(`The verification of ${name} is revoked`);
        }}
        failure={(error) => describeError(error, { prefix: 'Failed to revoke the verification' })}
        subject={subject}
        onGiveUp={onDone}
        onClose={onClose}
      />
    );
  }
  return (
    <ReasonDialog
      title={`Reject “${name}”?`}
      consequence="The owner reads your reason and cannot create quests. You can approve the project later."
      missing="Please give a reason"
      confirmLabel="Reject project"
      onConfirm={async (reason) => {
        await reject.mutateAsync({ projectId, reason });
        finish(`${name} is rejected`);
      }}
      failure={(error) => describeError(error, { prefix: 'Failed to reject project' })}
      subject={subject}
      onGiveUp={onDone}
      onClose={onClose}
    />
  );
}

type ApproveDialogProps = {
  project: AdminProject;
  onDone: (words: string) => void;
  /** After a failure, too. */
  onSettled: () => void;
  onClose: () => void;
};

/** Approving a rejected or revoked project overrules somebody, so the history is shown first (C-91). */
function ApproveDialog({ project, onDone, onSettled, onClose }: ApproveDialogProps) {
  const approve = useApproveProject();
  const history = useQuery(projectQueries.history(project.id));
  const settings = useQuery(settingsQueries.app());
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Approve “${project.name}” after all?`}
      consequence={
        project.owner_deleted_at
          ? 'Nobody sees it or its quests, because its owner’s account is deleted. The approval counts for the person’s next project.'
          : project.suspended_at
            ? 'It is verified at once, but nobody sees it or its quests while its owner is suspended.'
            : 'It is verified at once and shown to everybody. Quests that were held with it are published again.'
      }
      confirmLabel="Approve project"
      isDangerous={false}
      onConfirm={async () => {
        await approve
          .mutateAsync({ projectId: project.id, shownAs: 'rejected' })
          .catch(rethrow(approveFailure))
          .finally(onSettled);
        onDone(`${project.name} is verified`);
      }}
      isMoot={isMadeBefore}
    >
      <div className="mt-3 grid gap-3">
        <QueryView query={[history, settings]} failure="What was decided before could not be loaded">
          {([decisions, { trial_budget_points }]) => (
            <>
              <p className="rounded-control bg-sunken px-4 py-3 font-medium">
                {decisions.some(({ decision }) => decision === 'verified')
                  ? 'It was verified before: no trial points are given a second time.'
                  : trial_budget_points === 0
                    ? 'Its owner gets no trial points, as the settings say.'
                    : `Its owner gets ${formatPoints(trial_budget_points)} trial points, unless another project of theirs had them.`}
              </p>
              <ProjectHistory decisions={decisions} projectName={project.name} />
            </>
          )}
        </QueryView>
      </div>
    </ConfirmDialog>
  );
}

const decisionWords: Readonly<Record<string, string>> = {
  verified: 'Verified',
  rejected: 'Rejected',
  revoked: 'Verification revoked',
  held: 'Quest taken down',
  hold_lifted: 'Hold on a quest lifted',
};

type ProjectHistoryProps = { decisions: readonly ProjectDecision[]; projectName: string };

/** Decisions on a project and on earlier ones of the same person, newest first (C-91, C-97). */
export function ProjectHistory({ decisions, projectName }: ProjectHistoryProps) {
  if (decisions.length === 0) return <p className="text-muted">Nothing has been decided yet.</p>;
  return (
    <ScrollRegion label="Decisions" className="max-h-60 border-l-2 pl-4">
      <ol aria-label="Decisions" className="grid gap-3">
        {decisions.map((entry) => (
          <li key={entry.id} className="grid gap-0.5">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-semibold">{decisionWords[entry.decision] ?? entry.decision}</span>
              <span className="text-muted text-sm">
                {formatDate(entry.decided_at)}
                {entry.decided_by === 'beta' ? ', by the beta' : ', by an admin'}
                {entry.project_name !== projectName && `, as “${entry.project_name}”`}
              </span>
            </p>
            {entry.reason && <p className="text-muted text-sm [overflow-wrap:anywhere]">{entry.reason}</p>}
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}
