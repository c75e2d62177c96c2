import { Check, Eye, X } from 'lucide-react';
import { type DataColumn, DataTable, type RowSelection } from '@/components/data-table';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { formatAge, formatDateTime } from '@/lib/format';
import { proofLinkText } from '../proof-link';
import type { ReviewedSubmission } from '../queries';
import type { ReviewSort } from '../review-filters';
import { decidedHow, proofPreview, reviewStatus } from '../submission-status';
import { FlagMark } from './flag-list';

type SubmissionTableProps = {
  submissions: ReviewedSubmission[];
  /** Why the last decision about a submission was refused, by its id. */
  failures: ReadonlyMap<string, string>;
  sort: ReviewSort;
  onSort: (sort: ReviewSort) => void;
  selection: RowSelection<ReviewedSubmission> | undefined;
  onView: (submission: ReviewedSubmission) => void;
  onApprove: (submission: ReviewedSubmission) => void;
  onReject: (submission: ReviewedSubmission) => void;
};

/** Submissions as a table of narrow rows, cards on phones (SUBM-05). */
export function SubmissionTable(props: SubmissionTableProps) {
  const { submissions, failures, sort, onSort, selection, onView, onApprove, onReject } = props;
  /** The first click sorts ascending, longest waiting first. */
  const sortOf = (up: ReviewSort, down: ReviewSort): DataColumn<ReviewedSubmission>['sort'] => ({
    direction: sort === up ? 'ascending' : sort === down ? 'descending' : 'none',
    onSort: () => onSort(sort === up ? down : up),
  });
  const columns: DataColumn<ReviewedSubmission>[] = [
    {
      key: 'task',
      header: 'Task',
      sort: sortOf('task', '-task'),
      cell: (row) => (
        <span className="flex max-w-44 items-center gap-2 max-md:max-w-none">
          <span className="truncate font-medium" title={`${row.task_title} · ${row.campaign_title}`}>
            {row.task_title}
          </span>
          <Points value={row.task_points} className="text-sm" />
        </span>
      ),
    },
    {
      key: 'member',
      header: 'Member',
      sort: sortOf('member', '-member'),
      cell: (row) => (
        <span className="block max-w-32 truncate max-md:max-w-none" title={row.user_id}>
          {row.member_name}
        </span>
      ),
    },
    {
      key: 'email',
      header: 'Email',
      cell: (row) =>
        row.participant_email ? (
          <span className="block max-w-28 truncate text-sm max-md:max-w-none" title={row.participant_email}>
            {row.participant_email}
          </span>
        ) : (
          <span className="whitespace-nowrap text-muted text-sm">No email</span>
        ),
    },
    {
      key: 'proof',
      header: 'Proof',
      cell: (row) => (
        <span className="flex max-w-52 items-center gap-2 max-md:max-w-none max-md:justify-end">
          <Button variant="ghost" size="icon" aria-label="View" className="shrink-0" onClick={() => onView(row)}>
            <Eye aria-hidden="true" />
          </Button>
          <span className="min-w-0 truncate text-sm" title={row.proof_url ?? row.proof_text ?? undefined}>
            {proofPreview(row)}
            {row.proof_url && <span className="text-muted"> · {proofLinkText(row.proof_url)}</span>}
          </span>
          <FlagMark flags={row.flags} />
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      sort: sortOf('status', '-status'),
      cell: (row) => (
        <span className="inline-grid max-md:justify-items-end">
          <ReviewStatus submission={row} />
          {failures.has(row.id) && <span className="text-danger text-sm">{failures.get(row.id)}</span>}
        </span>
      ),
    },
    {
      key: 'submitted',
      header: 'Submitted',
      sort: sortOf('oldest', 'newest'),
      cell: (row) => (
        <time
          dateTime={row.submitted_at}
          title={formatDateTime(row.submitted_at)}
          className="whitespace-nowrap text-sm"
        >
          {formatAge(row.submitted_at)}
        </time>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      cell: (row) =>
        row.status === 'pending' ? (
          <span className="flex gap-1 max-md:justify-end">
            <Button
              data-part="approve"
              aria-label="Approve"
              variant="secondary"
              size="icon"
              onClick={() => onApprove(row)}
            >
              <Check aria-hidden="true" className="text-action" />
            </Button>
            <Button
              data-part="reject"
              aria-label="Reject"
              variant="secondary"
              size="icon"
              onClick={() => onReject(row)}
            >
              <X aria-hidden="true" className="text-danger" />
            </Button>
          </span>
        ) : (
          <Button variant="link" onClick={() => onView(row)}>
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
      isCompact
    />
  );
}

/** The status badge, and how the decision was made (SUBM-08, C-69). */
export function ReviewStatus({ submission }: { submission: Parameters<typeof decidedHow>[0] }) {
  const how = decidedHow(submission);
  return (
    <span className="inline-grid justify-items-start">
      <StatusBadge status={reviewStatus[submission.status]} />
      {how && <span className="whitespace-nowrap text-muted text-xs">{how}</span>}
    </span>
  );
}
