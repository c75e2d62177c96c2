import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { questQueries } from '@/features/quests';
import { formatDateTime } from '@/lib/format';
import type { ReviewedSubmission } from '../queries';
import { reviewText } from '../rejection';
import { decidedBy } from '../submission-status';
import { FlagList } from './flag-list';
import { ProofView } from './proof-view';
import { ReviewStatus } from './submission-table';

type SubmissionDialogProps = {
  submission: ReviewedSubmission;
  onApprove: () => void;
  onReject: () => void;
  onClose: () => void;
};

/** Details of a submission, and its review while it is pending (SUBM-07, SUBM-09). */
export function SubmissionDialog({ submission, onApprove, onReject, onClose }: SubmissionDialogProps) {
  const isPending = submission.status === 'pending';
  const said = reviewText(submission);

  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title="Submission Details" size="lg">
      <dl className="grid gap-4">
        <Row label="Status">
          <ReviewStatus submission={submission} />
        </Row>
        <Row label="Task">
          <span className="flex flex-wrap items-center gap-x-3">
            <strong>{submission.task_title}</strong>
            <Points value={submission.task_points} />
          </span>
          <TaskInstructions submission={submission} />
        </Row>
        <Row label="Proof">
          <ProofView proof={submission} />
          <FlagList flags={submission.flags} withDismissed />
        </Row>
        <Row label="Member">{submission.member_name}</Row>
        <Row label="User ID">
          <code className="text-sm [overflow-wrap:anywhere]">{submission.user_id}</code>
        </Row>
        <Row label="Participant email">{submission.participant_email ?? 'No email'}</Row>
        <Row label="Submitted">{formatDateTime(submission.submitted_at)}</Row>
        {submission.reviewed_at && (
          <Row label="Review">
            {formatDateTime(submission.reviewed_at)} by {decidedBy(submission.reviewed_by, 'you')}
            {said && <p className="dir-auto whitespace-pre-line">{said}</p>}
          </Row>
        )}
        <Row label="Submission ID">
          <code className="text-sm [overflow-wrap:anywhere]">{submission.id}</code>
        </Row>
      </dl>
      {isPending && (
        <DialogActions>
          <Button variant="secondary" onClick={onReject}>
            Reject
          </Button>
          <Button onClick={onApprove}>Approve</Button>
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

/** The task's instructions. */
export function TaskInstructions({ submission }: { submission: ReviewedSubmission }) {
  const tasks = useQuery(questQueries.tasks(submission.campaign_id));
  const instructions = tasks.data?.find(({ id }) => id === submission.task_id)?.instructions_md;
  return instructions ? <Markdown text={instructions} /> : null;
}
