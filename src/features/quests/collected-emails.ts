import { type CsvColumn, csvBlob, downloadBlob } from '@/lib/csv';
import { isoDay } from '@/lib/format';
import type { CollectedEmail } from './queries';

/** Downloads a quest's collected addresses. Lazy-loaded: most visits of the dashboard need no file. */
export function downloadEmails(questTitle: string, emails: readonly CollectedEmail[]): void {
  downloadBlob(emailsCsv(questTitle, emails), emailsFileName(questTitle));
}

/** 'Beta wave #2' -> 'beta_wave__2_emails.csv' (SDASH-09). */
export function emailsFileName(questTitle: string): string {
  return `${questTitle.toLowerCase().replace(/[^a-z0-9]/g, '_')}_emails.csv`;
}

/** CSV of a quest's collected addresses (SDASH-09, C-55). */
export function emailsCsv(questTitle: string, emails: readonly CollectedEmail[]): Blob {
  const columns: CsvColumn<CollectedEmail>[] = [
    { header: 'Email Address', value: (row) => row.email },
    { header: 'Quest', value: () => questTitle },
    { header: 'Collected Date', value: (row) => isoDay(row.collected_at) },
  ];
  return csvBlob(emails, columns);
}
