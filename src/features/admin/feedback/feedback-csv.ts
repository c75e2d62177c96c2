import type { CsvColumn } from '@/lib/csv';
import { isoDay } from '@/lib/format';
import type { Tables } from '@/types/database';

/** Columns of the export: the table's fields, days in ISO 8601 (C-55). */
export const feedbackColumns: CsvColumn<Tables<'beta_feedback'>>[] = [
  { header: 'id', value: (row) => row.id },
  { header: 'user_id', value: (row) => row.user_id },
  { header: 'email', value: (row) => row.email },
  { header: 'type', value: (row) => row.type },
  { header: 'title', value: (row) => row.title },
  { header: 'description', value: (row) => row.description },
  { header: 'rating', value: (row) => row.rating },
  { header: 'status', value: (row) => row.status },
  { header: 'priority', value: (row) => row.priority },
  { header: 'admin_notes', value: (row) => row.admin_notes },
  { header: 'created_at', value: (row) => isoDay(row.created_at) },
  { header: 'updated_at', value: (row) => isoDay(row.updated_at) },
];
