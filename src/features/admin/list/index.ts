export { AdminList } from './admin-list';
export { FloatingBar } from './floating-bar';
export { FilterSelect, ListToolbar } from './list-toolbar';
export { type ListFilters, listArguments, pagedList, pageSize, refreshSeconds } from './paged-list';
export { useAdminList } from './use-admin-list';
export { useListFilters } from './use-list-filters';
export { useSteadyRows } from './use-steady-rows';
