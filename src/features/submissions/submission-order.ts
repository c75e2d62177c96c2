/** Orders of the review list, as they stand in the address; a leading minus turns one around. The first is the default. */
export const submissionSorts = ['newest', 'oldest', 'task', '-task', 'member', '-member', 'status', '-status'] as const;
export type SubmissionSort = (typeof submissionSorts)[number];

/** Where a page ends: the sort keys of its last row as they were read, whatever becomes of the row since. */
export type SubmissionCursor = {
  id: string;
  submitted_at: string;
  task_id: string;
  user_id: string;
  status: string;
};

type SortColumn = { column: string; ascending: boolean };

/** What the database sorts by. Tasks come in the quest's order, states as pending, approved, rejected. */
const keyColumns = {
  task: ['tasks(order_index)', 'task_id'],
  member: ['user_id'],
  status: ['status'],
} as const;
type Key = keyof typeof keyColumns;

/** `null` for the orders by time alone. */
function keyOf(sort: SubmissionSort): { key: Key; ascending: boolean } | null {
  if (sort === 'newest' || sort === 'oldest') return null;
  const ascending = !sort.startsWith('-');
  return { key: sort.replace('-', '') as Key, ascending };
}

/** Columns in their order. Rows of the same task, member or state come newest first; `id` breaks ties. */
export function sortColumns(sort: SubmissionSort): SortColumn[] {
  const by = keyOf(sort);
  const ascending = sort === 'oldest';
  return [
    ...(by ? keyColumns[by.key].map((column) => ({ column, ascending: by.ascending })) : []),
    { column: 'submitted_at', ascending },
    { column: 'id', ascending },
  ];
}

/**
 * The rows below the cursor, as PostgREST's `or`: nothing is skipped or shown twice, however many pages there are.
 * `taskIds` are the quest's tasks in their order.
 */
export function belowCursor(sort: SubmissionSort, cursor: SubmissionCursor, taskIds: readonly string[]): string {
  const { submitted_at: at, id } = cursor;
  const than = sort === 'oldest' ? 'gt' : 'lt';
  const inTime = `submitted_at.${than}."${at}",and(submitted_at.eq."${at}",id.${than}.${id})`;
  const by = keyOf(sort);
  if (!by) return inTime;
  if (by.key === 'task') {
    const ordered = by.ascending ? taskIds : taskIds.toReversed();
    const later = ordered.slice(ordered.indexOf(cursor.task_id) + 1);
    return `task_id.in.(${later.join(',')}),and(task_id.eq.${cursor.task_id},or(${inTime}))`;
  }
  const [column] = keyColumns[by.key];
  const value = `"${cursor[column].replace(/["\\]/g, '\\$&')}"`;
  return `${column}.${by.ascending ? 'gt' : 'lt'}.${value},and(${column}.eq.${value},or(${inTime}))`;
}
