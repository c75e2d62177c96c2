import { useCallback, useEffect, useRef, useState } from 'react';
import type { RowSelection } from '@/components/data-table';
import { formatCount } from '@/lib/format';
import type { ReviewedSubmission } from './queries';

export const selectionLabel = (row: ReviewedSubmission): string => `Select ${row.task_title} by ${row.member_name}`;

/** Ticked submissions among those shown; only pending ones can be. */
export function useSelection(rows: readonly ReviewedSubmission[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const pending = rows.filter(({ status }) => status === 'pending');
  const selected = pending.filter(({ id }) => ids.has(id));

  // The same function always, so that rows which have it do not change with it.
  const set = useCallback((changed: readonly string[], isSelected: boolean) => {
    setIds((old) => {
      const next = new Set(old);
      for (const id of changed) isSelected ? next.add(id) : next.delete(id);
      return next;
    });
  }, []);

  const selection: RowSelection<ReviewedSubmission> = {
    canSelect: ({ status }) => status === 'pending',
    isSelected: ({ id }) => ids.has(id),
    onSelect: ({ id }, isSelected) => set([id], isSelected),
    label: selectionLabel,
    all: {
      label: `Select ${formatCount(pending.length, 'pending submission')}`,
      isSelected: selected.length === pending.length,
      onSelect: (isSelected) =>
        set(
          pending.map(({ id }) => id),
          isSelected,
        ),
    },
  };
  return {
    pending,
    selected,
    set,
    clear: () => setIds(new Set()),
    /** For the table; nothing where nothing waits for a decision. */
    selection: pending.length > 0 ? selection : undefined,
  };
}

/** After a dialog has closed it gives the focus back; only then is it known whether there was somewhere to give it to. */
const dialogCloseTime = 50;

type Place = { id: string | null; part: string | undefined; element: Element };

const rowOf = (element: Element | null) => element?.closest<HTMLElement>('[data-row]') ?? null;

/**
 * Keeps the focus in a list whose rows change under it. `order` are the ids on the screen, `open` those that still wait for
 * a decision. When what had the focus is gone (a decided row loses its buttons), the focus goes to the same control of the
 * next open row.
 */
export function useRowFocus(order: readonly string[], open: readonly string[]) {
  const list = useRef<HTMLDivElement>(null);
  const place = useRef<Place | null>(null);
  const formerOrder = useRef(order);

  const focusRow = (id: string | undefined, part?: string): boolean => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const row = rows.find(({ dataset }) => dataset.row === id);
    const control =
      (part && row?.querySelector<HTMLElement>(`[data-part="${part}"]`)) ||
      row?.querySelector<HTMLElement>('[role="checkbox"], button');
    if (!row || !control) return false;
    control.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
    return true;
  };

  const rescue = (former: readonly string[]) => {
    const lost = place.current;
    const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
    if (!lost || lost.element.isConnected || hasFocus) return;
    const from = lost.id ? former.indexOf(lost.id) : 0;
    const isOpen = new Set(open);
    const next = former.slice(from).find((id) => isOpen.has(id)) ?? former.findLast((id) => isOpen.has(id));
    if (!focusRow(next, lost.part) && !focusRow(lost.id ?? undefined)) list.current?.focus();
  };

  useEffect(() => {
    const former = formerOrder.current;
    formerOrder.current = order;
    rescue(former);
    const timer = setTimeout(() => rescue(former), dialogCloseTime);
    return () => clearTimeout(timer);
  });

  useEffect(() => {
    const element = list.current;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const id = rowOf(target)?.dataset.row ?? place.current?.id ?? null;
      place.current = { id, part: target.dataset.part, element: target };
    };
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, []);

  return {
    list,
    /** Row that has the focus. */
    current: () => rowOf(document.activeElement)?.dataset.row ?? null,
    /** Goes down or up by rows; from outside the list to the first open one. */
    move: (step: 1 | -1) => {
      const current = rowOf(document.activeElement)?.dataset.row;
      if (current) focusRow(order[order.indexOf(current) + step]);
      else focusRow(open[0] ?? order[0]);
    },
  };
}
