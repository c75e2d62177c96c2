import { Eye } from 'lucide-react';
import { type DataColumn, DataTable, type RowSelection } from '@/components/data-table';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import type { Task } from '@/features/quests';
import { formatDateTime } from '@/lib/format';
import type { Submission } from '../queries';
import type { SubmissionSort } from '../submission-order';
import { proofPreview, reviewStatus } from '../submission-status';

type SubmissionTableProps = {
  submissions: Submission[];
  tasks: Task[];
  /** Id of the submission whose review is under way. */
  reviewingId: string | null;
  /** Why the last decision about a submission was refused, by its id. */
  failures: ReadonlyMap<string, string>;
  sort: SubmissionSort;
  onSort: (sort: SubmissionSort) => void;
  selection: RowSelection<Submission> | undefined;
  onView: (submission: Submission) => void;
  onApprove: (submission: Submission) => void;
  onReject: (submission: Submission) => void;
};

/** Submissions of a quest as a table, cards on phones (SUBM-05). */
export function SubmissionTable({
  submissions,
  tasks,
  reviewingId,
  failures,
  sort,
  onSort,
  selection,
  onView,
  onApprove,
  onReject,
}: SubmissionTableProps) {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  /** The first press sorts upwards, but for times: the newest are what people look for. */
  const sortOf = (up: SubmissionSort, down: SubmissionSort): DataColumn<Submission>['sort'] => ({
    direction: sort === up ? 'ascending' : sort === down ? 'descending' : 'none',
    onSort: () => onSort(sort === up || (up === 'oldest' && sort !== down) ? down : up),
  });
  const columns: DataColumn<Submission>[] = [
    {
      key: 'task',
      header: 'Task',
      sort: sortOf('task', '-task'),
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
      sort: sortOf('member', '-member'),
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
    {
      key: 'status',
      header: 'Status',
      sort: sortOf('status', '-status'),
      cell: (row) => (
        <div className="grid gap-1 max-md:justify-items-end">
          <ReviewStatus submission={row} />
          {failures.has(row.id) && <p className="text-danger text-sm">{failures.get(row.id)}</p>}
        </div>
      ),
    },
    {
      key: 'submitted',
      header: 'Submitted',
      sort: sortOf('oldest', 'newest'),
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
            <Button data-part="approve" isLoading={reviewingId === row.id} onClick={() => onApprove(row)}>
              Approve
            </Button>
            <Button data-part="reject" variant="secondary" onClick={() => onReject(row)}>
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
  return (
    <DataTable
      caption="Submissions"
      columns={columns}
      rows={submissions}
      rowKey={(row) => row.id}
      selection={selection}
    />
  );
}

/** The stamp, and how an approved one came about (SUBM-08). */
export function ReviewStatus({ submission }: { submission: Pick<Submission, 'status'> }) {
  return (
    <span className="inline-grid justify-items-start gap-1">
      <StatusBadge status={reviewStatus[submission.status]} />
      {submission.status === 'approved' && <span className="text-muted text-sm">Auto-approved (Beta)</span>}
    </span>
  );
}
