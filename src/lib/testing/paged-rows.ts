import type { ApiCall } from './fake-api';

/**
 * A route that answers like a list procedure: the rows selected and sorted by its arguments, paged by `p_limit` and
 * `p_cursor`.
 */
export function pagedRows<Row extends object>(rowsOf: (params: URLSearchParams) => readonly Row[]) {
  return ({ params }: ApiCall): (Row & { cursor: string })[] => {
    const from = Number(params.get('p_cursor')?.replace('after-', '') ?? 0);
    const page = rowsOf(params).slice(from, from + Number(params.get('p_limit')));
    return page.map((row, index) => ({ ...row, cursor: `after-${from + index + 1}` }));
  };
}
