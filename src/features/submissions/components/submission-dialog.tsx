import { type ReactNode, useState } from 'react';
import { SubmitButton } from '@/components/form';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import type { Task } from '@/features/quests';
import { errorMessage } from '@/lib/errors';
import { formatDateTime } from '@/lib/format';
import type { ReviewedSubmission } from '../queries';
import {
  isRejectionReason,
  type Rejection,
  type RejectionReason,
  rejectionProblems,
  rejectionReasons,
  reviewText,
} from '../rejection';
import { decidedBy } from '../submission-status';
import { FlagList } from './flag-list';
import { ProofView } from './proof-view';
import { ReviewStatus } from './submission-table';

type SubmissionDialogProps = {
  submission: ReviewedSubmission;
  task: Task | undefined;
  /** Opened to reject: the reason is asked for at once. */
  startsRejecting: boolean;
  isReviewing: boolean;
  /** Why the last review of this submission failed. */
  error: Error | null;
  onApprove: () => void;
  onReject: (rejection: Rejection) => void;
  onClose: () => void;
};

/** Everything about one submission, and its review while it is pending (SUBM-07, SUBM-09). */
export function SubmissionDialog(props: SubmissionDialogProps) {
  const { submission, task, isReviewing, error, onApprove, onReject, onClose } = props;
  const [isRejecting, setIsRejecting] = useState(props.startsRejecting);
  const isPending = submission.status === 'pending';
  const said = reviewText(submission);

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
          <FlagList flags={submission.flags} withDismissed />
        </Row>
        <Row label="User ID">
          <code className="text-sm [overflow-wrap:anywhere]">{submission.user_id}</code>
        </Row>
        <Row label="Participant email">{submission.participant_email ?? 'No email'}</Row>
        <Row label="Submitted">{formatDateTime(submission.submitted_at)}</Row>
        {submission.reviewed_at && (
          <Row label="Review">
            {formatDateTime(submission.reviewed_at)} by {decidedBy(submission.reviewed_by, 'you')}
            {said && <p className="whitespace-pre-line">{said}</p>}
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

/** Characters of the words that the database keeps. */
const maxNoteLength = 1000;

type RejectFormProps = { isReviewing: boolean; onReject: (rejection: Rejection) => void; onCancel: () => void };

/** One of six reasons, and words that help the member to do better (C-77). */
export function RejectForm({ isReviewing, onReject, onCancel }: RejectFormProps) {
  const [reason, setReason] = useState<RejectionReason | ''>('');
  const [note, setNote] = useState('');
  const [wasSent, setWasSent] = useState(false);
  const problems = rejectionProblems({ reason, note });
  return (
    <form
      className="mt-6 grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setWasSent(true);
        if (reason !== '' && !problems.note) onReject({ reason, note: note.trim() });
      }}
    >
      <Field label="Reason" error={wasSent ? problems.reason : undefined}>
        <Select
          autoFocus
          value={reason}
          onChange={({ target }) => setReason(isRejectionReason(target.value) ? target.value : '')}
        >
          <option value="">Choose a reason</option>
          {Object.entries(rejectionReasons).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label={reason === 'other' ? 'Words' : 'Words (optional)'}
        hint="The member reads reason and words, and can try again."
        error={wasSent ? problems.note : undefined}
      >
        <Textarea rows={3} maxLength={maxNoteLength} value={note} onChange={(event) => setNote(event.target.value)} />
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
