import { memo, useEffect, useRef } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { cn } from '@/lib/cn';
import { formatAge } from '@/lib/format';
import { proofLinkText } from '../proof-link';
import type { ReviewedSubmission } from '../queries';
import { selectionLabel, type useSelection } from '../row-selection';
import { proofPreview } from '../submission-status';
import { FlagMark } from './flag-list';
import { ReviewStatus } from './submission-table';

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
          <Checkbox
            label={selection.all.label}
            checked={selection.all.isSelected}
            onCheckedChange={(checked) => selection.all.onSelect(checked === true)}
          />
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
            onCheckedChange={(checked) => onSelect([row.id], checked === true)}
          />
        )}
      </span>
      <button
        type="button"
        aria-current={isCurrent || undefined}
        className="grid h-full min-w-0 grow grid-cols-[minmax(4rem,8rem)_minmax(0,1fr)_auto] items-center gap-3 text-left"
        onClick={() => onChoose(row.id)}
      >
        <span className="truncate font-medium" title={row.user_id}>
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
            <ReviewStatus submission={{ status: row.status, reviewed_by: null, reviewed_at: null }} />
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
      due {formatAge(row.review_due_at)}
    </time>
  );
}
