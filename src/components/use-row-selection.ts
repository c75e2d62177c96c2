import { useCallback, useState } from 'react';
import type { RowSelection } from './data-table';

type Options<Row> = Pick<RowSelection<Row>, 'canSelect' | 'label'> & {
  /** Label of the checkbox for all selectable rows, of which there are `count`. */
  allLabel: (count: number) => string;
};

/** State of a row selection. Rows that are gone or have become unselectable do not count as selected. */
export function useRowSelection<Row extends { id: string }>(
  rows: readonly Row[],
  { canSelect, label, allLabel }: Options<Row>,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selectable = rows.filter(canSelect);
  const selected = selectable.filter(({ id }) => ids.has(id));

  // A stable callback, so that memoised rows do not rerender.
  const set = useCallback((changed: readonly string[], isSelected: boolean) => {
    setIds((old) => {
      const next = new Set(old);
      for (const id of changed) isSelected ? next.add(id) : next.delete(id);
      return next;
    });
  }, []);

  const selection: RowSelection<Row> = {
    canSelect,
    isSelected: ({ id }) => ids.has(id),
    onSelect: ({ id }, isSelected) => set([id], isSelected),
    label,
    all: {
      label: allLabel(selectable.length),
      isSelected: selectable.length > 0 && selected.length === selectable.length,
      onSelect: (isSelected) =>
        set(
          selectable.map(({ id }) => id),
          isSelected,
        ),
    },
  };
  return { selectable, selected, set, clear: () => setIds(new Set()), selection };
}
