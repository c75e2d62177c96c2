export { AdminList } from './admin-list';
export { FilterSelect, ListToolbar } from './list-toolbar';
export { type ListFilters, listArguments, pagedList, pageSize, refreshSeconds } from './paged-list';
export { useAdminList } from './use-admin-list';
export { useListFilters } from './use-list-filters';
