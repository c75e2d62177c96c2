import { type ReactNode, useState } from 'react';
import { SubmitButton } from '@/components/form';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import type { Task } from '@/features/quests';
import { errorMessage } from '@/lib/errors';
import { formatDateTime } from '@/lib/format';
import type { Submission } from '../queries';
import { ProofView } from './proof-view';
import { ReviewStatus } from './submission-table';

type SubmissionDialogProps = {
  submission: Submission;
  task: Task | undefined;
  /** Opened to reject: the reason is asked for at once. */
  startsRejecting: boolean;
  isReviewing: boolean;
  /** Why the last review of this submission failed. */
  error: Error | null;
  onApprove: () => void;
  onReject: (reason: string) => void;
  onClose: () => void;
};

/** Everything about one submission, and its review while it is pending (SUBM-07, SUBM-09). */
export function SubmissionDialog(props: SubmissionDialogProps) {
  const { submission, task, isReviewing, error, onApprove, onReject, onClose } = props;
  const [isRejecting, setIsRejecting] = useState(props.startsRejecting);
  const isPending = submission.status === 'pending';

  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title="Submission Details" className="sm:max-w-2xl">
      <dl className="grid gap-4">
        <Row label="Status">
          <ReviewStatus submission={submission} />
        </Row>
        <Row label="Task">
          <span className="flex flex-wrap items-center gap-x-3">
            <strong>{task?.title ?? 'Unknown Task'}</strong>
            <Points value={task?.reward_points ?? 0} />
          </span>
          {task?.instructions_md && <Markdown text={task.instructions_md} />}
        </Row>
        <Row label="Proof">
          <ProofView proof={submission} />
        </Row>
        <Row label="User ID">
          <code className="text-sm [overflow-wrap:anywhere]">{submission.user_id}</code>
        </Row>
        <Row label="Participant email">{submission.participant_email ?? 'No email'}</Row>
        <Row label="Submitted">{formatDateTime(submission.submitted_at)}</Row>
        {submission.reviewed_at && (
          <Row label="Review">
            {formatDateTime(submission.reviewed_at)} by {submission.reviewed_by}
            {submission.review_note && <p className="whitespace-pre-line">{submission.review_note}</p>}
          </Row>
        )}
        <Row label="Submission ID">
          <code className="text-sm [overflow-wrap:anywhere]">{submission.id}</code>
        </Row>
      </dl>
      {error && (
        <div role="alert" className="mt-4 text-danger">
          <p className="font-semibold">Failed to review submission</p>
          <p>{errorMessage(error)}</p>
        </div>
      )}
      {isPending && isRejecting && (
        <RejectForm isReviewing={isReviewing} onReject={onReject} onCancel={() => setIsRejecting(false)} />
      )}
      {isPending && !isRejecting && (
        <DialogActions>
          <Button variant="secondary" onClick={() => setIsRejecting(true)}>
            Reject
          </Button>
          <Button isLoading={isReviewing} onClick={onApprove}>
            Approve
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 sm:grid-cols-[9rem_1fr]">
      <dt className="text-muted text-sm sm:pt-0.5">{label}</dt>
      <dd className="grid min-w-0 gap-1.5">{children}</dd>
    </div>
  );
}

/** Characters of a reason that the database keeps. */
const maxReasonLength = 1000;

type RejectFormProps = { isReviewing: boolean; onReject: (reason: string) => void; onCancel: () => void };

/** Why a proof is not accepted, in words that help the member to do better. */
export function RejectForm({ isReviewing, onReject, onCancel }: RejectFormProps) {
  const [reason, setReason] = useState('');
  return (
    <form
      className="mt-6"
      onSubmit={(event) => {
        event.preventDefault();
        onReject(reason.trim());
      }}
    >
      <Field
        label="Reason"
        hint="The member reads it and can try again. Left empty, they read: Rejected by project owner."
      >
        <Textarea
          autoFocus
          rows={3}
          maxLength={maxReasonLength}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton variant="danger" isSubmitting={isReviewing}>
          Reject submission
        </SubmitButton>
      </DialogActions>
    </form>
  );
}
