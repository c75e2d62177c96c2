import { Check, Eye, X } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { type DataColumn, DataTable, type RowSelection } from '@/components/data-table';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { cn } from '@/lib/cn';
import { formatAge, formatDateTime } from '@/lib/format';
import { proofLinkText } from '../proof';
import type { ReviewedSubmission, ReviewSort } from '../queries';
import { decidedHow, isOverdue, proofPreview, reviewStatus } from '../submission';
import { selectionLabel, type useSelection } from '../use-review';
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
      namesRow: true,
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
      namesRow: true,
      sort: sortOf('member', '-member'),
      cell: (row) => (
        <span
          dir="auto"
          className="block max-w-32 truncate text-left max-md:max-w-none max-md:text-right"
          title={row.user_id}
        >
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
export function ReviewStatus({
  submission,
}: {
  submission: Parameters<typeof reviewStatus>[0] & Parameters<typeof decidedHow>[0];
}) {
  const how = decidedHow(submission);
  return (
    <span className="inline-grid justify-items-start">
      <StatusBadge status={reviewStatus(submission)} />
      {how && <span className="whitespace-nowrap text-muted text-xs">{how}</span>}
    </span>
  );
}

type ProofListProps = {
  rows: readonly ReviewedSubmission[];
  currentId: string | null;
  failures: ReadonlyMap<string, string>;
  selection: ReturnType<typeof useSelection>['selection'];
  onSelect: (ids: readonly string[], isSelected: boolean) => void;
  onChoose: (id: string) => void;
};

/** The list next to the proof: rows of 48 px with member, task and link in one line. */
export function ProofList({ rows, currentId, failures, selection, onSelect, onChoose }: ProofListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-row="${currentId}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  return (
    <div className="overflow-hidden rounded-card border bg-card shadow-card">
      {selection && (
        <div className="border-b px-3">
          <Checkbox label={selection.all.label} checked={selection.all.isSelected} onChange={selection.all.onSelect} />
        </div>
      )}
      <ul ref={list} aria-label="Submissions">
        {rows.map((row) => (
          <ProofRow
            key={row.id}
            row={row}
            isCurrent={row.id === currentId}
            isFailed={failures.has(row.id)}
            isSelected={selection?.canSelect(row) ? selection.isSelected(row) : null}
            onSelect={onSelect}
            onChoose={onChoose}
          />
        ))}
      </ul>
    </div>
  );
}

type ProofRowProps = {
  row: ReviewedSubmission;
  isCurrent: boolean;
  isFailed: boolean;
  /** Null where there is nothing to select. */
  isSelected: boolean | null;
  onSelect: (ids: readonly string[], isSelected: boolean) => void;
  onChoose: (id: string) => void;
};

/** Memoised, because a decision changes two of hundreds of rows. */
const ProofRow = memo(function ProofRow({ row, isCurrent, isFailed, isSelected, onSelect, onChoose }: ProofRowProps) {
  return (
    <li
      data-row={row.id}
      className={cn(
        'flex h-12 scroll-mt-20 scroll-mb-24 items-center gap-2 border-b px-3 last:border-b-0',
        isCurrent && 'bg-action-soft',
      )}
    >
      <span className="w-6 shrink-0">
        {isSelected !== null && (
          <Checkbox
            isCompact
            label={<VisuallyHidden>{selectionLabel(row)}</VisuallyHidden>}
            checked={isSelected}
            onChange={(checked) => onSelect([row.id], checked)}
          />
        )}
      </span>
      <button
        type="button"
        aria-current={isCurrent || undefined}
        className="grid h-full min-w-0 grow grid-cols-[minmax(4rem,8rem)_minmax(0,1fr)_auto] items-center gap-3 text-left"
        onClick={() => onChoose(row.id)}
      >
        {/* Cut off at its end, also in a right-to-left script. */}
        <span dir="auto" className="truncate text-left font-medium" title={row.user_id}>
          {row.member_name}
        </span>
        <span className="truncate text-muted text-sm">
          {row.proof_url ? proofLinkText(row.proof_url) : proofPreview(row)}
        </span>
        <span className="flex items-center gap-2 text-sm">
          <FlagMark flags={row.flags} />
          {isFailed && <span className="text-danger">Failed</span>}
          {row.status === 'pending' ? (
            <DueTime row={row} />
          ) : (
            <ReviewStatus submission={{ ...row, reviewed_by: null, reviewed_at: null }} />
          )}
        </span>
      </button>
    </li>
  );
});

/** When a pending proof is due; highlighted in the last tenth of its time (BEY-22). */
function DueTime({ row }: { row: ReviewedSubmission }) {
  if (!row.review_due_at) {
    return (
      <time dateTime={row.submitted_at} className="text-muted">
        {formatAge(row.submitted_at)}
      </time>
    );
  }
  const [sent, due] = [Date.parse(row.submitted_at), Date.parse(row.review_due_at)];
  const isUrgent = Date.now() > due - (due - sent) / 10;
  return (
    <time dateTime={row.review_due_at} className={isUrgent ? 'font-semibold text-danger' : 'text-muted'}>
      {isOverdue(row.review_due_at) && 'was '}due {formatAge(row.review_due_at)}
    </time>
  );
}
