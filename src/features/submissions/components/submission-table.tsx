import { Eye } from 'lucide-react';
import { type DataColumn, DataTable } from '@/components/data-table';
import { Points } from '@/components/points';
import { StatusStamp } from '@/components/status-stamp';
import { Button } from '@/components/ui/button';
import type { Task } from '@/features/campaigns';
import { formatDateTime } from '@/lib/format';
import { proofPreview } from '../proof-preview';
import type { Submission } from '../queries';
import { reviewStamp } from '../submission-status';

type SubmissionTableProps = {
  submissions: Submission[];
  tasks: Task[];
  /** Id of the submission whose review is under way. */
  reviewingId: string | null;
  onView: (submission: Submission) => void;
  onApprove: (submission: Submission) => void;
  onReject: (submission: Submission) => void;
};

/** Submissions of a quest as a table, cards on phones (SUBM-05). */
export function SubmissionTable({
  submissions,
  tasks,
  reviewingId,
  onView,
  onApprove,
  onReject,
}: SubmissionTableProps) {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const columns: DataColumn<Submission>[] = [
    {
      key: 'task',
      header: 'Task',
      cell: (row) => (
        <div className="grid gap-0.5">
          <span className="font-medium">{byId.get(row.task_id)?.title ?? 'Unknown Task'}</span>
          <Points value={byId.get(row.task_id)?.reward_points ?? 0} className="text-sm" />
        </div>
      ),
    },
    {
      key: 'user',
      header: 'User ID',
      cell: (row) => <code className="text-sm [overflow-wrap:anywhere]">{row.user_id}</code>,
    },
    {
      key: 'email',
      header: 'Email',
      cell: (row) =>
        row.participant_email ? (
          <span className="text-sm [overflow-wrap:anywhere]">{row.participant_email}</span>
        ) : (
          <span className="text-muted text-sm">No email</span>
        ),
    },
    {
      key: 'proof',
      header: 'Proof',
      cell: (row) => (
        <div className="grid min-w-28 justify-items-start max-md:justify-items-end">
          <span className="text-sm [overflow-wrap:anywhere]">{proofPreview(row)}</span>
          <Button variant="link" onClick={() => onView(row)}>
            <Eye aria-hidden="true" />
            View
          </Button>
        </div>
      ),
    },
    { key: 'status', header: 'Status', cell: (row) => <ReviewStatus submission={row} /> },
    {
      key: 'submitted',
      header: 'Submitted',
      cell: (row) => (
        <time dateTime={row.submitted_at} className="text-sm">
          {formatDateTime(row.submitted_at)}
        </time>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      cell: (row) =>
        row.status === 'pending' ? (
          <div className="flex gap-2 max-md:justify-end">
            <Button isLoading={reviewingId === row.id} onClick={() => onApprove(row)}>
              Approve
            </Button>
            <Button variant="secondary" onClick={() => onReject(row)}>
              Reject
            </Button>
          </div>
        ) : (
          <Button variant="secondary" onClick={() => onView(row)}>
            Details
          </Button>
        ),
    },
  ];
  return <DataTable caption="Submissions" columns={columns} rows={submissions} rowKey={(row) => row.id} />;
}

/** The stamp, and how an approved one came about (SUBM-08). */
export function ReviewStatus({ submission }: { submission: Pick<Submission, 'status'> }) {
  return (
    <span className="inline-grid justify-items-start gap-1">
      <StatusStamp status={reviewStamp[submission.status]} />
      {submission.status === 'approved' && <span className="text-muted text-sm">Auto-approved (Beta)</span>}
    </span>
  );
}
