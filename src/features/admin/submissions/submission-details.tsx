import { Points } from '@/components/points';
import { StatusStamp } from '@/components/status-stamp';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import { ProofView, reviewStamp } from '@/features/submissions';
import { formatDateTime } from '@/lib/format';
import { Detail, DetailList, Id } from '../components/detail-list';
import { PersonLink } from '../components/person-link';
import type { AdminSubmission } from './queries';

export type SubmissionAction = 'approve' | 'reject' | 'reverse';

type SubmissionDetailsProps = {
  submission: AdminSubmission;
  isApproving: boolean;
  failure: string | null;
  onAction: (action: SubmissionAction) => void;
  onClose: () => void;
};

/** One submission with its proof, and what an admin may do in a dispute (C-43). */
export function SubmissionDetails({ submission, isApproving, failure, onAction, onClose }: SubmissionDetailsProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={submission.task_title}
      description={submission.campaign_title}
      className="sm:max-w-2xl"
    >
      <DetailList>
        <Detail label="Status">
          <StatusStamp status={reviewStamp[submission.status]} />
        </Detail>
        <Detail label="Member">
          <PersonLink userId={submission.user_id} name={submission.username} />
        </Detail>
        <Detail label="Points">
          <Points value={submission.reward_points} />
        </Detail>
        <Detail label="Proof">
          <ProofView proof={submission} />
        </Detail>
        <Detail label="Participant email">{submission.participant_email ?? 'No email'}</Detail>
        <Detail label="Submitted">{formatDateTime(submission.submitted_at)}</Detail>
        {submission.reviewed_at && (
          <Detail label="Review">
            {formatDateTime(submission.reviewed_at)} by {submission.reviewed_by}
            {submission.review_note && <p className="whitespace-pre-line">{submission.review_note}</p>}
          </Detail>
        )}
        <Detail label="Submission ID">
          <Id>{submission.id}</Id>
        </Detail>
      </DetailList>
      {failure && <FieldError>{failure}</FieldError>}
      {submission.status === 'pending' && (
        <DialogActions>
          <Button variant="secondary" onClick={() => onAction('reject')}>
            Reject
          </Button>
          <Button isLoading={isApproving} onClick={() => onAction('approve')}>
            Approve
          </Button>
        </DialogActions>
      )}
      {submission.status === 'approved' && (
        <DialogActions>
          <Button variant="danger" onClick={() => onAction('reverse')}>
            Reverse approval
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}
