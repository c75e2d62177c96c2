import { useDeferredValue } from 'react';
import { useUrlChoice, useUrlReset, useUrlText } from '@/lib/url-state';
import type { ListFilters } from './paged-list';

const sorts = ['newest', 'oldest'] as const;

/** Search, status and sort of a list, kept in the address. `statuses` without 'all', which comes first by itself. */
export function useListFilters(statuses: readonly string[] = [], defaultStatus = 'all') {
  const [search, setSearch] = useUrlText('q');
  const [status, setStatus] = useUrlChoice('status', [
    defaultStatus,
    ...['all', ...statuses].filter((choice) => choice !== defaultStatus),
  ]);
  const [sort, setSort] = useUrlChoice('sort', sorts);
  const reset = useUrlReset(['q', 'status', 'sort', 'type', 'subject']);
  const filters: ListFilters = { search: useDeferredValue(search), status: status === 'all' ? null : status, sort };
  return { filters, search, setSearch, status, setStatus, sort, setSort, reset };
}

export type ListFilterState = ReturnType<typeof useListFilters>;
