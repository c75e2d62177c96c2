import type { CsvColumn } from '@/lib/csv';
import { isoDay } from '@/lib/format';
import type { Tables } from '@/types/database';

/** Columns of the export: the table's fields, days in ISO 8601 (C-55). Inactive entries say so: send them nothing. */
export const mailingListColumns: CsvColumn<Tables<'mailing_list'>>[] = [
  { header: 'id', value: (row) => row.id },
  { header: 'email', value: (row) => row.email },
  { header: 'source', value: (row) => row.source },
  { header: 'campaign_id', value: (row) => row.campaign_id },
  { header: 'user_id', value: (row) => row.user_id },
  { header: 'subscribed_at', value: (row) => isoDay(row.subscribed_at) },
  { header: 'is_active', value: (row) => row.is_active },
  { header: 'metadata', value: (row) => JSON.stringify(row.metadata) },
];
