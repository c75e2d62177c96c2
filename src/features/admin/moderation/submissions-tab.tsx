import { useState } from 'react';
import type { DataColumn } from '@/components/data-table';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import {
  approvedHow,
  decidedBy,
  type Flag,
  FlagList,
  flagSentence,
  isByDeadline,
  ProofView,
  type Rejection,
  RejectionDialog,
  reviewStatus,
  reviewText,
} from '@/features/submissions';
import { describeError } from '@/lib/errors';
import { formatDateTime, formatPoints } from '@/lib/format';
import { LatestEntry } from '../components/latest-entry';
import { ReasonDialog } from '../components/reason-dialog';
import { Detail, DetailList, Id } from '../components/section';
import { EmailAddress, PersonLink, RelativeTime } from '../components/table-cells';
import { AdminList, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { isMadeBefore, spentSentence } from '../mutations';
import { useAdminReview, useDismissFlag, useReverseSubmission } from './mutations';
import { type AdminSubmission, adminSubmissionQueries } from './queries';

const statuses = [
  ['pending', 'Pending'],
  ['overdue', 'Overdue'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['flagged', 'Flagged'],
] as const;
const submissionKey = ({ id }: AdminSubmission) => id;

/** Why the server did not approve an overdue proof (BEY-22). */
const obstacles: Readonly<Record<string, string>> = {
  flagged: 'It is flagged.',
  quest_held: 'Its quest is on hold.',
  project_closed: 'Its project is suspended or not verified.',
  member_suspended: 'Its member is suspended.',
  points_short: 'Its project has too few points.',
};

/** The note that an admin's approval carries. */
const approvalNote = 'Approved by admin';

const reviewFailure = { prefix: 'Failed to review submission' };

/** Submissions of all quests; approvals can be reversed (C-43, TRUST-08). */
export default function SubmissionsTab() {
  const filter = useListFilters(statuses.map(([value]) => value));
  const list = useAdminList(adminSubmissionQueries.list(filter.filters), submissionKey);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const opened = list.rows.find(({ id }) => id === openedId);

  const columns: DataColumn<AdminSubmission>[] = [
    {
      key: 'task',
      header: 'Task',
      cell: (row) => (
        <div className="min-w-0 font-normal">
          <button
            type="button"
            className="text-left font-semibold hover:underline [overflow-wrap:anywhere]"
            onClick={() => setOpenedId(row.id)}
          >
            {row.task_title}
          </button>
          <p className="text-muted text-sm [overflow-wrap:anywhere]">{row.campaign_title}</p>
          {row.review_due_at && row.obstacle && (
            <p className="mt-1 max-w-80 text-sm text-warning">
              Due <RelativeTime at={row.review_due_at} />, and not approved by itself:{' '}
              {obstacles[row.obstacle] ?? 'It needs a second look.'}
            </p>
          )}
          <FlagList flags={row.flags} className="mt-2 max-w-80" />
        </div>
      ),
    },
    { key: 'member', header: 'Member', cell: (row) => <PersonLink userId={row.user_id} name={row.username} /> },
    { key: 'points', header: 'Points', isNumeric: true, cell: (row) => <Points value={row.reward_points} /> },
    { key: 'status', header: 'Status', cell: (row) => <StatusBadge status={reviewStatus(row)} /> },
    {
      key: 'submitted',
      header: 'Submitted',
      cell: (row) => <RelativeTime at={row.submitted_at} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      cell: (row) => (
        <Button
          variant="secondary"
          aria-label={`View ${row.task_title} by ${row.username ?? 'Unknown User'}`}
          onClick={() => setOpenedId(row.id)}
        >
          View
        </Button>
      ),
    },
  ];

  return (
    <>
      <ListToolbar filter={filter} searchLabel="Search members" statuses={statuses} allLabel="All submissions" />
      <AdminList
        list={list}
        noun="submission"
        columns={columns}
        rowKey={submissionKey}
        emptyText="Proofs from all quests appear here."
        filter={filter}
        isFiltered={filter.search !== '' || filter.status !== 'all'}
      />
      {opened && (
        <SubmissionDetails
          key={opened.id}
          submission={opened}
          onChanged={list.applyUpdates}
          onClose={() => setOpenedId(null)}
        />
      )}
    </>
  );
}

type SubmissionDetailsProps = { submission: AdminSubmission; onChanged: () => void; onClose: () => void };

/** One submission with its proof, and what an admin may do in a dispute (C-43). Stays open while a decision is being sent. */
function SubmissionDetails({ submission, onChanged, onClose }: SubmissionDetailsProps) {
  const { id: submissionId, task_title, status } = submission;
  const review = useAdminReview();
  const reverse = useReverseSubmission();
  const dismiss = useDismissFlag();
  const [asking, setAsking] = useState<'reject' | 'reverse' | null>(null);
  const [dismissing, setDismissing] = useState<Flag | null>(null);

  const finish = (words: string) => {
    onChanged();
    toast.success(words);
    onClose();
  };
  const decide = async (decision: Parameters<typeof review.mutateAsync>[0], words: string) => {
    try {
      await review.mutateAsync(decision);
    } catch {
      return; // Shown below.
    }
    finish(words);
  };
  const handleApprove = () => decide({ submissionId, decision: 'approve', note: approvalNote }, 'Submission approved');
  const handleReject = (rejection: Rejection) =>
    decide({ submissionId, decision: 'reject', ...rejection }, 'Submission rejected');
  const stopRejecting = () => {
    if (review.isPending) return;
    review.reset();
    setAsking(null);
  };
  const handleClose = () => {
    if (review.isPending) return;
    // Somebody else may have decided.
    if (review.isError) onChanged();
    onClose();
  };
  const failure = review.isError && (
    <div className="grid gap-3">
      <FieldError>{describeError(review.error, reviewFailure)}</FieldError>
      {isMadeBefore(review.error) && <LatestEntry subject={{ type: 'submission', id: submissionId }} />}
    </div>
  );

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && handleClose()}
      title={task_title}
      description={submission.campaign_title}
      size="lg"
    >
      <DetailList>
        <Detail label="Status">
          <StatusBadge status={reviewStatus(submission)} />
        </Detail>
        <Detail label="Member">
          <PersonLink userId={submission.user_id} name={submission.username} />
        </Detail>
        <Detail label="Points">
          <Points value={submission.reward_points} />
        </Detail>
        <Detail label="Proof">
          <ProofView proof={submission} />
          <FlagList flags={submission.flags} withDismissed onDismiss={setDismissing} className="mt-3" />
        </Detail>
        <Detail label="Participant email">
          <EmailAddress>{submission.participant_email ?? 'No email'}</EmailAddress>
        </Detail>
        <Detail label="Submitted">{formatDateTime(submission.submitted_at)}</Detail>
        {submission.reviewed_at && (
          <Detail label="Review">
            {formatDateTime(submission.reviewed_at)} <Reviewer submission={submission} />
            <p className="dir-auto whitespace-pre-line">{reviewText(submission)}</p>
          </Detail>
        )}
        <Detail label="Submission ID">
          <Id>{submissionId}</Id>
        </Detail>
      </DetailList>
      {!asking && failure}
      {status === 'pending' && (
        <DialogActions>
          <Button variant="secondary" onClick={() => setAsking('reject')}>
            Reject
          </Button>
          <Button isLoading={review.isPending} onClick={handleApprove}>
            Approve
          </Button>
        </DialogActions>
      )}
      {status === 'approved' && (
        <DialogActions>
          <Button variant="danger" onClick={() => setAsking('reverse')}>
            Reverse approval
          </Button>
        </DialogActions>
      )}
      {asking === 'reject' && (
        <RejectionDialog
          title="Reject this submission?"
          description={task_title}
          onReject={handleReject}
          onCancel={stopRejecting}
          isSending={review.isPending}
          failure={failure}
        />
      )}
      {asking === 'reverse' && (
        <ReasonDialog
          title="Reverse this approval?"
          consequence={`${formatPoints(submission.reward_points)} points go back from ${submission.username ?? 'the member'} to the quest's reserve, by entries of their own: nothing in the ledger is changed. The slot is free again.`}
          hint="The member will read it."
          missing="Please give a reason"
          confirmLabel="Reverse approval"
          onConfirm={async (reason) => {
            await reverse.mutateAsync({ submissionId, reason });
            finish('The approval is reversed');
          }}
          failure={(error) =>
            describeError(error, {
              prefix: 'Failed to reverse the approval',
              codes: { INSUFFICIENT_POINTS: spentSentence(submission.username ?? 'the member') },
            })
          }
          subject={{ type: 'submission', id: submissionId }}
          onGiveUp={onChanged}
          onClose={() => setAsking(null)}
        />
      )}
      {dismissing && (
        <ReasonDialog
          title="Dismiss this flag?"
          consequence={`“${flagSentence(dismissing)}” no longer counts. Once no flag is left, points from this submission are redeemed without waiting for you. Your reason stands in the audit log.`}
          missing="Please give a reason"
          confirmLabel="Dismiss"
          isDangerous={false}
          onConfirm={async (reason) => {
            await dismiss.mutateAsync({ flagId: dismissing.id, reason });
            onChanged();
            toast.success('The flag is dismissed');
          }}
          failure={(error) => describeError(error, { prefix: 'Failed to dismiss the flag' })}
          subject={{ type: 'submission', id: submissionId }}
          onGiveUp={onChanged}
          onClose={() => setDismissing(null)}
        />
      )}
    </Dialog>
  );
}

/** What stands in `reviewed_by` where no person is known; all else is a person's id. */
const notPeople = ['project', 'questboard', 'auto', 'beta'];

/** Who has reviewed a submission: a person, linked to their details, or the server by a rule. */
function Reviewer({ submission }: { submission: AdminSubmission }) {
  const { reviewed_by: by } = submission;
  const how = approvedHow(submission);
  if (how) return `· ${how}`;
  if (isByDeadline(by)) return '· Approved when its review time ended';
  return <>by {by && !notPeople.includes(by) ? <PersonLink userId={by} name={by} /> : decidedBy(by, 'the project')}</>;
}
