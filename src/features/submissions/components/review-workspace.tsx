import { Check, Undo2, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';
import { useMediaQuery } from '@/lib/use-media-query';
import { approval, formatDecision, type PendingReview, rejection, type Verdict } from '../decisions';
import { openLink } from '../link-address';
import type { ReviewedSubmission } from '../queries';
import { reasonOfKey } from '../rejection';
import { type ReviewSort, reviewSorts } from '../review-filters';
import { useRowFocus, useSelection } from '../row-selection';
import { useDecisions } from '../use-decisions';
import { ProofList } from './proof-list';
import { RejectionDialog } from './rejection-form';
import { ReviewProof } from './review-proof';
import { ShortcutHelp, useShortcutSwitch, useShortcuts } from './shortcut-help';
import { SubmissionDialog } from './submission-dialog';
import { SubmissionTable } from './submission-table';

const decided = { approve: 'approved', reject: 'rejected' } as const;
/** Prefetches the next page when only this many pending rows are left. */
const rowsAhead = 10;

/** Optimistic row: as it will be once the queued decision has been sent. */
function withDecision(row: ReviewedSubmission, queue: readonly PendingReview[]): ReviewedSubmission {
  const queued = queue.findLast(({ ids }) => ids.includes(row.id));
  if (!queued) return row;
  const { decision, note, reason = null } = queued;
  return { ...row, status: decided[decision], reviewed_by: 'project', review_note: note, rejection_reason: reason };
}

export type ReviewView = 'proofs' | 'table';

type ReviewWorkspaceProps = {
  submissions: ReviewedSubmission[];
  view: ReviewView;
  /** Submissions of several quests, so each row names its quest. */
  hasQuests: boolean;
  sort: ReviewSort;
  onSort: (sort: ReviewSort) => void;
  /** The rows are of the previous filter or order, until the new ones have loaded. */
  isStale: boolean;
  onMore: (() => void) | undefined;
  isLoadingMore: boolean;
};

/** Reviews submissions, proof by proof or in a table, with the same shortcuts, dialogs and Undo (SUBM-09, BEY-01). */
export function ReviewWorkspace({ submissions, view, hasQuests, sort, onSort, ...page }: ReviewWorkspaceProps) {
  const isWide = useMediaQuery('(min-width: 64rem)');
  const [openedId, setOpenedId] = useState<string | null>(null);
  /** Submissions for which the rejection dialog is open. */
  const [rejecting, setRejecting] = useState<readonly string[] | null>(null);
  const [currentId, setCurrentId] = useState<string | null>(null);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [areShortcutsOn, setAreShortcutsOn] = useShortcutSwitch();

  const decisions = useDecisions((failed) => selecting.set(failed, true));
  const rows = useMemo(
    () => submissions.map((row) => withDecision(row, decisions.queue)),
    [submissions, decisions.queue],
  );
  const selecting = useSelection(rows);
  const pendingIds = selecting.pending.map(({ id }) => id);
  const order = rows.map(({ id }) => id);
  const focus = useRowFocus(order, pendingIds);

  const shown = rows.find(({ id }) => id === currentId) ?? selecting.pending[0] ?? rows[0];
  const isProofs = view === 'proofs';
  const current = () => (isProofs ? shown : rows.find(({ id }) => id === focus.current()));
  const move = (step: 1 | -1) => {
    if (!isProofs) return focus.move(step);
    const next = shown && order[order.indexOf(shown.id) + step];
    if (next) setCurrentId(next);
  };

  const selectedIds = selecting.selected.map(({ id }) => id);
  const decide = (ids: readonly string[], verdict: Verdict) => {
    const waiting = pendingIds.filter((id) => !ids.includes(id));
    const place = shown ? order.indexOf(shown.id) : 0;
    if (shown && ids.includes(shown.id)) {
      setCurrentId(waiting.find((id) => order.indexOf(id) > place) ?? waiting.at(-1) ?? shown.id);
    }
    decisions.decide({ ids, ...verdict, isSelection: ids.some((id) => selectedIds.includes(id)) });
    selecting.set(ids, false);
    setRejecting(null);
    setOpenedId(null);
  };
  const undo = () => {
    const review = decisions.undo();
    if (review?.isSelection) selecting.set(review.ids, true);
    if (review) setCurrentId(review.ids[0] ?? null);
  };
  const askReason = (ids: readonly string[]) => {
    setOpenedId(null);
    setRejecting(ids);
  };

  /** Target of a shortcut: the selection, else the current submission if it is pending. */
  const targets = () => (selectedIds.length > 0 ? selectedIds : pendingIds.filter((id) => id === current()?.id));
  useShortcuts(areShortcutsOn, {
    next: () => move(1),
    previous: () => move(-1),
    select: () => {
      const row = current();
      if (row?.status === 'pending') selecting.set([row.id], !selectedIds.includes(row.id));
    },
    open: () => setOpenedId(current()?.id ?? null),
    link: () => {
      const row = current();
      if (row) openLink(row);
    },
    approve: () => {
      if (targets().length > 0) decide(targets(), approval);
    },
    reject: () => {
      if (targets().length > 0) askReason(targets());
    },
    reason: (key) => {
      const reason = reasonOfKey(key);
      if (targets().length === 0 || !reason) return;
      // The reason that needs a note opens the dialog.
      if (reason === 'other') askReason(targets());
      else decide(targets(), rejection({ reason, note: '' }));
    },
    undo,
    help: () => setIsHelpOpen(true),
  });

  // Decided rows stay in place, so a reviewer who continues needs the rows after them.
  const { onMore, isLoadingMore } = page;
  const isRunningDry = isProofs && pendingIds.length < rowsAhead && decisions.queue.length > 0;
  useEffect(() => {
    if (isRunningDry && !isLoadingMore) onMore?.();
  }, [isRunningDry, isLoadingMore, onMore]);

  const opened = rows.find(({ id }) => id === openedId);
  const undoBar = (
    <UndoBar
      undoable={decisions.undoable}
      onUndo={undo}
      onHold={decisions.pauseTimer}
      onRelease={decisions.startTimer}
    />
  );
  const selectionBar = (
    <SelectionBar
      count={selectedIds.length}
      onApprove={() => decide(selectedIds, approval)}
      onReject={() => askReason(selectedIds)}
      onClear={selecting.clear}
    />
  );
  const help = (
    <ShortcutHelp isOpen={isHelpOpen} onOpenChange={setIsHelpOpen} isOn={areShortcutsOn} onSwitch={setAreShortcutsOn} />
  );
  const more = onMore && (
    <Button variant="secondary" className="justify-self-center" isLoading={isLoadingMore} onClick={onMore}>
      Show more submissions
    </Button>
  );
  return (
    <div ref={focus.list} tabIndex={-1} className="grid gap-3 outline-none">
      {!isProofs && (
        <div className="flex flex-wrap items-end justify-between gap-3">
          <SortChoice sort={sort} onSort={onSort} />
          {help}
        </div>
      )}
      {isProofs ? (
        <div
          className={cn(
            'grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,28rem)] xl:grid-cols-[minmax(0,1fr)_minmax(0,32rem)]',
            page.isStale && 'opacity-60',
          )}
          aria-busy={page.isStale}
        >
          {isWide && (
            <div className="grid min-w-0 gap-3">
              <ProofList
                rows={rows}
                currentId={shown?.id ?? null}
                failures={decisions.failures}
                selection={selecting.selection}
                onSelect={selecting.set}
                onChoose={setCurrentId}
              />
              {more}
              <div className="justify-self-start">{help}</div>
              <div className="sticky bottom-3 z-10">{selectionBar}</div>
            </div>
          )}
          {shown && (
            <Card className="flex flex-col justify-between gap-4 max-lg:min-h-[70dvh] lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:gap-0 lg:pb-0">
              {/* Not the card scrolls: the buttons below would stick to its end, which lies under the edge of the screen. */}
              <div className="lg:-mx-5 lg:-mt-5 lg:min-h-0 lg:overflow-y-auto lg:p-5">
                <ReviewProof
                  key={shown.id}
                  submission={shown}
                  place={order.indexOf(shown.id) + 1}
                  count={rows.length}
                  hasQuest={hasQuests}
                  failure={decisions.failures.get(shown.id)}
                  onMove={move}
                  onOpen={() => setOpenedId(shown.id)}
                />
              </div>
              <div
                data-sticky-action
                className="sticky bottom-0 z-20 -mx-4 grid gap-2 rounded-b-card border-t bg-card px-4 py-3 sm:-mx-5 sm:px-5"
              >
                {undoBar}
                <ProofActions
                  isPending={shown.status === 'pending'}
                  isLast={pendingIds.length === 0}
                  onApprove={() => decide([shown.id], approval)}
                  onReject={() => askReason([shown.id])}
                />
              </div>
            </Card>
          )}
        </div>
      ) : (
        <>
          <div className={cn(page.isStale && 'opacity-60')} aria-busy={page.isStale}>
            <SubmissionTable
              submissions={rows}
              failures={decisions.failures}
              sort={sort}
              onSort={onSort}
              selection={selecting.selection}
              onView={({ id }) => setOpenedId(id)}
              onReject={({ id }) => askReason([id])}
              onApprove={({ id }) => decide([id], approval)}
            />
          </div>
          {more}
          <div
            {...((decisions.undoable || selectedIds.length > 0) && { 'data-sticky-action': true })}
            className="pointer-events-none sticky bottom-3 z-20 grid gap-2 *:pointer-events-auto sm:mr-40 sm:justify-items-start"
          >
            {undoBar}
            {selectionBar}
          </div>
        </>
      )}
      {rejecting && (
        <RejectionDialog
          count={rejecting.length}
          onReject={(because) => decide(rejecting, rejection(because))}
          onCancel={() => setRejecting(null)}
        />
      )}
      {opened && (
        <SubmissionDialog
          submission={opened}
          onApprove={() => decide([opened.id], approval)}
          onReject={() => askReason([opened.id])}
          onClose={() => setOpenedId(null)}
        />
      )}
    </div>
  );
}

type ProofActionsProps = { isPending: boolean; isLast: boolean; onApprove: () => void; onReject: () => void };

/** Two buttons of half the width each, in thumb's reach on phones. */
function ProofActions({ isPending, isLast, onApprove, onReject }: ProofActionsProps) {
  if (!isPending) return isLast ? <p className="text-center text-muted">Nothing waits any more.</p> : null;
  return (
    <div className="grid grid-cols-2 gap-3">
      <Button variant="secondary" size="lg" onClick={onReject}>
        <X aria-hidden="true" className="text-danger" />
        Reject
      </Button>
      <Button size="lg" onClick={onApprove}>
        <Check aria-hidden="true" />
        Approve
      </Button>
    </div>
  );
}

const sortLabels: Record<ReviewSort, string> = {
  status: 'What waits, due first',
  '-status': 'Rejected first',
  newest: 'Newest first',
  oldest: 'Oldest first',
  task: 'Task, first to last',
  '-task': 'Task, last to first',
  member: 'Member, A to Z',
  '-member': 'Member, Z to A',
};

type SortChoiceProps = { sort: ReviewSort; onSort: (sort: ReviewSort) => void };

/** The sort orders of the table's headings, for phones, where the rows are cards. */
function SortChoice({ sort, onSort }: SortChoiceProps) {
  return (
    <Field label="Sort by" className="md:hidden">
      <Select
        value={sort}
        onChange={({ target }) => onSort(reviewSorts.find((known) => known === target.value) ?? sort)}
      >
        {reviewSorts.map((value) => (
          <option key={value} value={value}>
            {sortLabels[value]}
          </option>
        ))}
      </Select>
    </Field>
  );
}

type UndoBarProps = {
  /** The decision that can still be undone. */
  undoable: PendingReview | null;
  onUndo: () => void;
  /** Called when Undo gains or loses hover or focus. */
  onHold: () => void;
  onRelease: () => void;
};

function UndoBar({ undoable, ...on }: UndoBarProps) {
  return (
    <div role="status" className="contents">
      {undoable && (
        <div className="flex items-center gap-3 rounded-card border border-l-4 border-l-action bg-card py-1 pr-1 pl-4 shadow-card">
          <p className="grow font-medium">{formatDecision(undoable)}</p>
          <Button
            variant="ghost"
            onClick={on.onUndo}
            onMouseEnter={on.onHold}
            onMouseLeave={on.onRelease}
            onFocus={on.onHold}
            onBlur={on.onRelease}
          >
            <Undo2 aria-hidden="true" />
            Undo
          </Button>
        </div>
      )}
    </div>
  );
}

type SelectionBarProps = { count: number; onApprove: () => void; onReject: () => void; onClear: () => void };

/** Bulk actions for the selected submissions. */
function SelectionBar({ count, onApprove, onReject, onClear }: SelectionBarProps) {
  if (count === 0) return null;
  return (
    <section
      aria-label="Selected submissions"
      className="flex flex-wrap items-center gap-2 rounded-card border bg-card p-2 pl-4 shadow-card"
    >
      <p className="grow font-semibold tabular-nums">{formatNumber(count)} selected</p>
      <Button variant="ghost" onClick={onClear}>
        Clear
      </Button>
      <Button variant="secondary" onClick={onReject}>
        Reject selected
      </Button>
      <Button onClick={onApprove}>Approve selected</Button>
    </section>
  );
}
