import type { ApiCall } from './fake-api';

/**
 * A route that answers as a list procedure does: the rows that its arguments ask for, in their order, page by page as
 * `p_limit` and `p_cursor` say.
 */
export function pagedRows<Row extends object>(rowsOf: (params: URLSearchParams) => readonly Row[]) {
  return ({ params }: ApiCall): (Row & { cursor: string })[] => {
    const from = Number(params.get('p_cursor')?.replace('after-', '') ?? 0);
    const page = rowsOf(params).slice(from, from + Number(params.get('p_limit')));
    return page.map((row, index) => ({ ...row, cursor: `after-${from + index + 1}` }));
  };
}
