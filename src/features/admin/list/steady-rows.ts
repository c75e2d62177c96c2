/**
 * What a list shows after it was read again in the background: the same rows at the same places with their new values, and
 * what follows them (a further page). Rows that are new above or between wait until they are asked for; rows that went
 * stay as they were, because somebody may be reading them.
 */
export function steadyRows<Row>(
  shown: readonly Row[],
  fresh: readonly Row[],
  rowKey: (row: Row) => string,
): { rows: readonly Row[]; newCount: number } {
  if (shown.length === 0) return { rows: fresh, newCount: 0 };
  const freshByKey = new Map(fresh.map((row) => [rowKey(row), row]));
  const shownKeys = new Set(shown.map(rowKey));
  const lastKnown = fresh.findLastIndex((row) => shownKeys.has(rowKey(row)));
  // Nothing that is shown is left: everything is new, and waits.
  const below = lastKnown < 0 ? [] : fresh.slice(lastKnown + 1);
  const rows = [...shown.map((row) => freshByKey.get(rowKey(row)) ?? row), ...below];
  const above = fresh.slice(0, lastKnown < 0 ? fresh.length : lastKnown);
  return { rows, newCount: above.filter((row) => !shownKeys.has(rowKey(row))).length };
}
