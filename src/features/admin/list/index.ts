export { AdminList, FilterSelect, FloatingBar, ListToolbar } from './admin-list';
export {
  type ListFilters,
  listArguments,
  pagedList,
  pageSize,
  refreshSeconds,
  useAdminList,
  useFrozenRows,
  useListFilters,
} from './paged-list';
