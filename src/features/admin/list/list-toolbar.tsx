import type { ReactNode } from 'react';
import { Select } from '@/components/ui/select';
import { SearchField } from './search-field';
import type { ListFilterState } from './use-list-filters';

type Choice = readonly [value: string, label: string];

type ListToolbarProps = {
  filter: ListFilterState;
  /** Left out where the list cannot be searched. */
  searchLabel?: string;
  /** Statuses beside 'all'. */
  statuses?: readonly Choice[];
  allLabel?: string;
  hasSort?: boolean;
  /** Further filters, and buttons such as an export. */
  children?: ReactNode;
};

/** What stands above a list: search, status, order, and the list's own buttons. */
export function ListToolbar(props: ListToolbarProps) {
  const { filter, searchLabel, statuses = [], allLabel = 'All', hasSort = true, children } = props;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      {searchLabel && <SearchField label={searchLabel} value={filter.search} onChange={filter.setSearch} />}
      {statuses.length > 0 && (
        <FilterSelect
          label="Status"
          value={filter.status}
          onChange={filter.setStatus}
          choices={[['all', allLabel], ...statuses]}
        />
      )}
      {hasSort && (
        <FilterSelect
          label="Order"
          value={filter.sort}
          onChange={(sort) => filter.setSort(sort === 'oldest' ? 'oldest' : 'newest')}
          choices={[
            ['newest', 'Newest first'],
            ['oldest', 'Oldest first'],
          ]}
        />
      )}
      {children}
    </div>
  );
}

type FilterSelectProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  choices: readonly Choice[];
};

/** A filter in the toolbar; its label is read out, the chosen words are seen. */
export function FilterSelect({ label, value, onChange, choices }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      className="grow sm:grow-0"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {choices.map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </Select>
  );
}
