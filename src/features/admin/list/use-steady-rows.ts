import { useState } from 'react';
import { steadyRows } from './steady-rows';

type Shown<Row> = { key: string; fresh: readonly Row[]; rows: readonly Row[]; newCount: number };

/**
 * Rows of a list that is read again and again, at the places where they are read (steadyRows). Another `key` (other
 * filters, another period) begins anew; while `isWaiting` for it, the former rows stay. `accept` takes a list as it is.
 */
export function useSteadyRows<Row>(
  key: string,
  fresh: readonly Row[],
  rowKey: (row: Row) => string,
  isWaiting: boolean,
) {
  const [shown, setShown] = useState<Shown<Row>>({ key, fresh, rows: fresh, newCount: 0 });
  if (!isWaiting && (shown.key !== key || shown.fresh !== fresh)) {
    setShown(
      shown.key === key
        ? { key, fresh, ...steadyRows(shown.rows, fresh, rowKey) }
        : { key, fresh, rows: fresh, newCount: 0 },
    );
  }
  const accept = (rows: readonly Row[]) => setShown({ key, fresh: rows, rows, newCount: 0 });
  return { rows: shown.rows, newCount: shown.newCount, accept };
}
