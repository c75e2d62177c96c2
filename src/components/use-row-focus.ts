import { useEffect, useRef } from 'react';

/** Runs after a closing dialog has restored the focus, because only then is it known whether that worked. */
const dialogCloseTime = 50;

/** Where the focus was. `index`: of its row at that time. `isBelow`: it was below the rows, such as on "Show more". */
type Place = { id: string | null; index: number; part: string | undefined; element: Element; isBelow: boolean };

const rowOf = (element: Element | null) => element?.closest<HTMLElement>('[data-row]') ?? null;

/** The first row that was appended to the former ones; undefined if the list has changed in any other way. */
function firstAdded(former: readonly string[], order: readonly string[]): string | undefined {
  return former.every((id, index) => order[index] === id) ? order[former.length] : undefined;
}

/** The next open row after the lost one, else the last one. */
function nextOpen(former: readonly string[], { id }: Place, open: ReadonlySet<string>): string | undefined {
  const from = id ? former.indexOf(id) : 0;
  return former.slice(from).find((each) => open.has(each)) ?? former.findLast((each) => open.has(each));
}

/**
 * Keeps the focus in a list whose rows change. `order`: the ids on the screen; `open`: those still pending, where decided rows stay in
 * place. When the focused element disappears (a decided row loses its buttons), the focus moves to the same control of the next open row;
 * without `open` to the row that is now in the place of the one that is gone. From a "Show more" that has shown the last page it moves to
 * the first new row.
 */
export function useRowFocus(order: readonly string[], open?: readonly string[]) {
  const list = useRef<HTMLDivElement>(null);
  const place = useRef<Place | null>(null);
  const formerOrder = useRef(order);

  const focusRow = (id: string | undefined, part?: string): boolean => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const row = rows.find(({ dataset }) => dataset.row === id);
    const control =
      (part && row?.querySelector<HTMLElement>(`[data-part="${part}"]`)) ||
      row?.querySelector<HTMLElement>('[type="checkbox"], button');
    if (!row || !control) return false;
    control.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
    // A row taller than the window counts as visible even when the control in it is not.
    control.scrollIntoView({ block: 'nearest' });
    return true;
  };

  const rescue = (former: readonly string[]) => {
    const lost = place.current;
    // When the focused element is removed, the focus falls to the body, or to the page if a dialog closes.
    const { activeElement } = document;
    const isLost = activeElement !== list.current && activeElement?.contains(list.current);
    if (!lost || lost.element.isConnected || !isLost) return;
    const added = lost.isBelow ? firstAdded(former, order) : undefined;
    const next = added ?? (open ? nextOpen(former, lost, new Set(open)) : (order[lost.index] ?? order.at(-1)));
    if (!focusRow(next, lost.part) && !focusRow(lost.id ?? undefined)) list.current?.focus();
  };

  useEffect(() => {
    const former = formerOrder.current;
    formerOrder.current = order;
    rescue(former);
    const timer = setInterval(() => {
      // On a busy machine a dialog closes long after the rows have changed.
      const dialog = document.activeElement?.closest('[role="dialog"], [role="alertdialog"]');
      if (dialog && !dialog.contains(list.current)) return;
      clearInterval(timer);
      rescue(former);
    }, dialogCloseTime);
    return () => clearInterval(timer);
  });

  useEffect(() => {
    const element = list.current;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const row = rowOf(target)?.dataset.row;
      const { id = null, index = 0 } = row
        ? { id: row, index: formerOrder.current.indexOf(row) }
        : (place.current ?? {});
      const last = [...(element?.querySelectorAll('[data-row]') ?? [])].at(-1);
      const isBelow =
        last !== undefined && (last.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      place.current = { id, index, part: target.dataset.part, element: target, isBelow: isBelow && !row };
    };
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, []);

  return {
    list,
    /** When the focused element disappears, the focus moves to this row. */
    follow: (id: string) => {
      if (place.current) place.current.id = id;
    },
    /** The row with the focus. */
    current: () => rowOf(document.activeElement)?.dataset.row ?? null,
    /** Moves the focus down or up by rows; from outside the list to the first open row. */
    move: (step: 1 | -1) => {
      const current = rowOf(document.activeElement)?.dataset.row;
      if (current) focusRow(order[order.indexOf(current) + step]);
      else focusRow(open?.[0] ?? order[0]);
    },
  };
}
