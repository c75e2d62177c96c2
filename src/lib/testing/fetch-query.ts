import { type FetchQueryOptions, QueryClient, type QueryKey } from '@tanstack/react-query';

/** Runs a query without a component, a cache or retries. */
export function fetchQuery<Data, FnData, Key extends QueryKey>(
  options: FetchQueryOptions<FnData, Error, Data, Key>,
): Promise<Data> {
  return new QueryClient({ defaultOptions: { queries: { retry: false } } }).fetchQuery(options);
}

/** The ids of rows, in order. */
export const idsOf = <Id>(rows: readonly { id: Id }[]): Id[] => rows.map(({ id }) => id);
