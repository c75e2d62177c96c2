import { useState } from 'react';
import type { RowSelection } from '@/components/data-table';
import { formatCount } from '@/lib/format';
import type { Submission } from './queries';

/** Ticked submissions among those shown; only pending ones can be. */
export function useSelection(rows: readonly Submission[], taskTitle: (row: Submission) => string) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const pending = rows.filter(({ status }) => status === 'pending');
  const selected = pending.filter(({ id }) => ids.has(id));

  const set = (changed: readonly string[], isSelected: boolean) =>
    setIds((old) => {
      const next = new Set(old);
      for (const id of changed) isSelected ? next.add(id) : next.delete(id);
      return next;
    });

  const selection: RowSelection<Submission> = {
    canSelect: ({ status }) => status === 'pending',
    isSelected: ({ id }) => ids.has(id),
    onSelect: ({ id }, isSelected) => set([id], isSelected),
    label: (row) => `Select ${taskTitle(row)} by ${row.user_id}`,
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
