import { Undo2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { formatNumber } from '@/lib/format';
import { type Batch, decidedText } from '../decisions';

type ReviewBarProps = {
  selectedCount: number;
  /** The decision that can still be taken back. */
  undoable: Batch | null;
  onApprove: () => void;
  onReject: () => void;
  onClear: () => void;
  onUndo: () => void;
  /** The pointer or the focus has come to Undo, or has left it. */
  onHold: () => void;
  onRelease: () => void;
};

/** Stays at the bottom while submissions are selected or a decision can be undone. */
export function ReviewBar({ selectedCount, undoable, ...on }: ReviewBarProps) {
  const isShown = selectedCount > 0 || undoable;
  return (
    <div
      {...(isShown && { 'data-sticky-action': true })}
      className="pointer-events-none sticky bottom-3 z-20 grid gap-2 sm:mr-40 sm:justify-items-start"
    >
      <div role="status" className="contents">
        {undoable && (
          <div className="pointer-events-auto flex items-center gap-3 rounded-card border border-l-4 border-l-action bg-card py-1 pr-1 pl-4 shadow-card">
            <p className="grow font-medium">{decidedText(undoable)}</p>
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
      {selectedCount > 0 && (
        <section
          aria-label="Selected submissions"
          className="pointer-events-auto flex flex-wrap items-center gap-2 rounded-card border bg-card p-2 pl-4 shadow-card"
        >
          <p className="grow font-semibold tabular-nums">{formatNumber(selectedCount)} selected</p>
          <Button variant="ghost" onClick={on.onClear}>
            Clear
          </Button>
          <Button variant="secondary" onClick={on.onReject}>
            Reject selected
          </Button>
          <Button onClick={on.onApprove}>Approve selected</Button>
        </section>
      )}
    </div>
  );
}
