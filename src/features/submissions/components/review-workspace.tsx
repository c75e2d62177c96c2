import { Check, TriangleAlert, Undo2, X } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { UrlSelect } from '@/components/url-select';
import { cn } from '@/lib/cn';
import { formatCount, formatNumber } from '@/lib/format';
import { useMediaQuery } from '@/lib/use-media-query';
import { approval, formatDecision, rejection } from '../decisions';
import { openLink } from '../proof';
import { type ReviewedSubmission, type ReviewSort, reviewSorts } from '../queries';
import { reasonOfKey } from '../submission';
import { type Review, useReview } from '../use-review';
import { RejectionDialog } from './rejection-dialog';
import { ReviewProof, SubmissionDialog } from './review-proof';
import { ShortcutHelp, useShortcutSwitch, useShortcuts } from './shortcut-help';
import { ProofList, SubmissionTable } from './submission-list';

/** Prefetches the next page when only this many pending rows are left. */
const rowsAhead = 10;

export type ReviewView = 'proofs' | 'table';

type ReviewWorkspaceProps = {
  submissions: ReviewedSubmission[];
  /** How many more the filters match; null: some, but nobody has counted them. */
  unloaded: number | null;
  view: ReviewView;
  /** Submissions of several quests, so each row names its quest. */
  hasQuests: boolean;
  sort: ReviewSort;
  onSort: (sort: ReviewSort) => void;
  /** The rows still belong to the previous filter or order, because the new ones are loading. */
  isStale: boolean;
  list: ComponentProps<typeof ShowMore>['list'] & { isFetchNextPageError: boolean };
};

/** Reviews submissions, proof by proof or in a table, with the same shortcuts, dialogs and Undo (SUBM-09, BEY-01). */
export function ReviewWorkspace({ submissions, view, list, ...props }: ReviewWorkspaceProps) {
  const isProofs = view === 'proofs';
  const review = useReview(submissions, isProofs);
  const { pendingIds, decisions, decide, askReason, rejecting, opened } = review;
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [areShortcutsOn, setAreShortcutsOn] = useShortcutSwitch();
  useReviewShortcuts(areShortcutsOn, review, () => setIsHelpOpen(true));

  // Decided rows stay in place, so a reviewer who continues needs the rows after them.
  const isRunningDry = isProofs && pendingIds.length < rowsAhead && decisions.queue.length > 0;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const canLoadAhead = isRunningDry && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (canLoadAhead) void fetchNextPage();
  }, [canLoadAhead, fetchNextPage]);

  const help = (
    <ShortcutHelp isOpen={isHelpOpen} onOpenChange={setIsHelpOpen} isOn={areShortcutsOn} onSwitch={setAreShortcutsOn} />
  );
  const more = <ShowMore list={list}>Show more submissions</ShowMore>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles what its buttons pass on
    <div ref={review.list} tabIndex={-1} onKeyDown={pressOnce} className="grid gap-3 outline-none">
      {isProofs ? (
        <ProofsView review={review} help={help} more={more} {...props} />
      ) : (
        <TableView review={review} help={help} more={more} {...props} />
      )}
      {rejecting && (
        <RejectionDialog
          title={`Reject ${formatCount(rejecting.ids.length, 'submission')}`}
          description={rejecting.ids.length > 1 ? 'All of these members get the same reason.' : undefined}
          initialReason={rejecting.reason}
          onReject={(because) => decide(rejecting.ids, rejection(because))}
          onCancel={review.cancelRejection}
        />
      )}
      {opened && (
        <SubmissionDialog
          submission={opened}
          onApprove={() => decide([opened.id], approval)}
          onReject={() => askReason([opened.id])}
          onClose={() => review.open(null)}
        />
      )}
    </div>
  );
}

/** A held Enter would press the button again, which is by then that of the next submission. */
function pressOnce(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) event.preventDefault();
}

function useReviewShortcuts(areOn: boolean, review: Review, onHelp: () => void) {
  const { current, move, selecting, selectedIds, pendingIds, decide, askReason } = review;
  /** Target of a shortcut: the selection, else the current submission if it is pending. */
  const targets = () => (selectedIds.length > 0 ? selectedIds : pendingIds.filter((id) => id === current()?.id));
  useShortcuts(areOn, {
    next: () => move(1),
    previous: () => move(-1),
    select: () => {
      const row = current();
      if (row?.status === 'pending') selecting.set([row.id], !selectedIds.includes(row.id));
    },
    open: () => review.open(current()?.id ?? null),
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
      if (reason === 'other') askReason(targets(), reason);
      else decide(targets(), rejection({ reason, note: '' }));
    },
    undo: review.undo,
    help: onHelp,
  });
}

type ViewProps = Pick<ReviewWorkspaceProps, 'unloaded' | 'hasQuests' | 'sort' | 'onSort' | 'isStale'> & {
  review: Review;
  help: ReactNode;
  more: ReactNode;
};

/** One proof at a time, on wide screens beside the list. */
function ProofsView({ review, unloaded, hasQuests, isStale, help, more }: ViewProps) {
  const isWide = useMediaQuery('(min-width: 64rem)');
  const { rows, order, shown, pendingIds, selecting, decisions, decide, askReason } = review;
  const count = `${formatNumber(rows.length + (unloaded ?? 0))}${unloaded === null ? '+' : ''}`;
  return (
    <div
      className={cn(
        'grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,28rem)] xl:grid-cols-[minmax(0,1fr)_minmax(0,32rem)]',
        isStale && 'opacity-60',
      )}
      aria-busy={isStale}
    >
      {isWide && (
        <div className="grid min-w-0 gap-3">
          <ProofList
            rows={rows}
            currentId={shown?.id ?? null}
            failures={decisions.failures}
            selection={selecting.selection}
            onSelect={selecting.set}
            onChoose={review.show}
          />
          {more}
          <div className="justify-self-start">{help}</div>
          <div className="sticky bottom-3 z-10">
            <SelectionBar review={review} />
          </div>
        </div>
      )}
      {!isWide && <FailedDecisions review={review} />}
      {/* Announces each proof: a live region whose text stays the same, as after two equal decisions, is silent. */}
      <VisuallyHidden>
        <span role="status">
          {shown && `Proof ${order.indexOf(shown.id) + 1} of ${count}: ${shown.task_title}, ${shown.member_name}`}
        </span>
      </VisuallyHidden>
      {shown && (
        <Card className="flex flex-col justify-between gap-4 max-lg:min-h-[70dvh] lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:gap-0 lg:pb-0">
          {/* The content scrolls, not the card: otherwise the buttons below would stick to its end, under the edge of the screen. */}
          <div className="lg:-mx-5 lg:-mt-5 lg:min-h-0 lg:overflow-y-auto lg:p-5">
            <ReviewProof
              key={shown.id}
              submission={shown}
              place={order.indexOf(shown.id) + 1}
              count={count}
              hasQuest={hasQuests}
              failure={decisions.failures.get(shown.id)}
              onMove={review.move}
              onOpen={() => review.open(shown.id)}
            />
          </div>
          <div
            data-sticky-action
            className="sticky bottom-0 z-20 -mx-4 grid gap-2 rounded-b-card border-t bg-card px-4 py-3 sm:-mx-5 sm:px-5"
          >
            <UndoBar review={review} />
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
  );
}

/** On phones, where no list marks them, a button to the decisions that failed or may have failed; null without any. */
function FailedDecisions({ review: { pendingIds, shown, show, decisions } }: { review: Review }) {
  const failed = pendingIds.filter((id) => decisions.failures.has(id) && id !== shown?.id);
  const [first] = failed;
  if (!first) return null;
  return (
    <Button variant="secondary" onClick={() => show(first)}>
      <TriangleAlert aria-hidden="true" className="text-danger" />
      {formatCount(failed.length, 'decision needs', 'decisions need')} another look
    </Button>
  );
}

/** All submissions, with actions for each and for the selected ones. */
function TableView({ review, sort, onSort, isStale, help, more }: ViewProps) {
  const { rows, selectedIds, selecting, decisions, decide, askReason } = review;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <SortChoice sort={sort} onSort={onSort} />
        {help}
      </div>
      <div className={cn(isStale && 'opacity-60')} aria-busy={isStale}>
        <SubmissionTable
          submissions={rows}
          failures={decisions.failures}
          sort={sort}
          onSort={onSort}
          selection={selecting.selection}
          onView={({ id }) => review.open(id)}
          onReject={({ id }) => askReason([id])}
          onApprove={({ id }) => decide([id], approval)}
        />
      </div>
      {more}
      <div
        {...((decisions.undoable || selectedIds.length > 0) && { 'data-sticky-action': true })}
        className="pointer-events-none sticky bottom-3 z-20 grid gap-2 *:pointer-events-auto sm:mr-40 sm:justify-items-start"
      >
        <UndoBar review={review} />
        <SelectionBar review={review} />
      </div>
    </>
  );
}

type ProofActionsProps = { isPending: boolean; isLast: boolean; onApprove: () => void; onReject: () => void };

/** Two buttons of half the width each, in thumb's reach on phones. */
function ProofActions({ isPending, isLast, onApprove, onReject }: ProofActionsProps) {
  if (!isPending) return isLast ? <p className="text-center text-muted">Nothing is left to review.</p> : null;
  return (
    <div className="grid grid-cols-2 gap-3">
      <Button variant="secondary" size="lg" onClick={onReject}>
        <X aria-hidden="true" className="text-danger" />
        Reject
      </Button>
      {/* The further clicks of a double click would approve the next proofs, unseen. */}
      <Button size="lg" onClick={({ detail }) => detail < 2 && onApprove()}>
        <Check aria-hidden="true" />
        Approve
      </Button>
    </div>
  );
}

const sortLabels: Record<ReviewSort, string> = {
  status: 'Waiting, due first',
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
      <UrlSelect value={sort} onChange={(next) => onSort(reviewSorts.find((known) => known === next) ?? sort)}>
        {reviewSorts.map((value) => (
          <option key={value} value={value}>
            {sortLabels[value]}
          </option>
        ))}
      </UrlSelect>
    </Field>
  );
}

function UndoBar({ review: { decisions, undo } }: { review: Review }) {
  const { undoable, pauseTimer, startTimer } = decisions;
  return (
    <div role="status" className="contents">
      {undoable && (
        <div className="flex items-center gap-3 rounded-card border border-l-4 border-l-action bg-card py-1 pr-1 pl-4 shadow-card">
          <p className="grow font-medium">{formatDecision(undoable)}</p>
          {/* After the last proof, the second click of a double click on Approve may land here. */}
          <Button
            variant="ghost"
            onClick={({ detail }) => detail < 2 && undo()}
            onMouseEnter={pauseTimer}
            onMouseLeave={startTimer}
            onFocus={pauseTimer}
            onBlur={startTimer}
          >
            <Undo2 aria-hidden="true" />
            Undo
          </Button>
        </div>
      )}
    </div>
  );
}

/** Bulk actions for the selected submissions. */
function SelectionBar({ review: { selectedIds, selecting, decide, askReason } }: { review: Review }) {
  if (selectedIds.length === 0) return null;
  return (
    <section
      aria-label="Selected submissions"
      className="flex flex-wrap items-center gap-2 rounded-card border bg-card p-2 pl-4 shadow-card"
    >
      <p className="grow font-semibold tabular-nums">{formatNumber(selectedIds.length)} selected</p>
      <Button variant="ghost" onClick={selecting.clear}>
        Clear
      </Button>
      <Button variant="secondary" onClick={() => askReason(selectedIds)}>
        Reject selected
      </Button>
      <Button onClick={() => decide(selectedIds, approval)}>Approve selected</Button>
    </section>
  );
}
