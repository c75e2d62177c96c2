import { Download } from 'lucide-react';
import { useAlert } from '@/components/alert-dialogs';
import { Button } from '@/components/ui/button';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { useDownload } from '@/components/use-download';
import { type CsvColumn, csvBlob, downloadBlob } from '@/lib/csv';
import { formatNumber, isoDay } from '@/lib/format';
import { fetchAllSubmissions, type ReviewedSubmission, type ReviewFilters } from '../queries';
import { decidedBy, reviewText } from '../submission';

type SubmissionsCsvProps = {
  filters: ReviewFilters;
  columns: CsvColumn<ReviewedSubmission>[];
  fileName: () => string;
};

/** Downloads all submissions that match the filters, including those not loaded yet (SUBM-10). */
export function SubmissionsCsv({ filters, columns, fileName }: SubmissionsCsvProps) {
  const alert = useAlert();
  const { isDownloading, rowCount, handleDownload } = useDownload({
    about: 'submissions CSV',
    save: async (onRows) => {
      const rows = await fetchAllSubmissions(filters, onRows);
      if (rows.length === 0) return void alert('No submissions to export');
      downloadBlob(csvBlob(rows, columns), fileName());
      return 'The submissions have been downloaded';
    },
  });
  return (
    <>
      <Button variant="secondary" aria-disabled={isDownloading} onClick={handleDownload}>
        <Download aria-hidden="true" />
        {rowCount ? <span className="tabular-nums">{formatNumber(rowCount)} rows</span> : 'Download CSV'}
      </Button>
      <VisuallyHidden>
        <span role="status">{isDownloading && 'Collecting the submissions'}</span>
      </VisuallyHidden>
    </>
  );
}

/** Columns of the export in order (SUBM-10); dates in ISO 8601, which every program can parse. */
export const submissionColumns: CsvColumn<ReviewedSubmission>[] = [
  { header: 'Submission ID', value: (row) => row.id },
  { header: 'Task Title', value: (row) => row.task_title },
  { header: 'Task Points', value: (row) => row.task_points },
  { header: 'User ID', value: (row) => row.user_id },
  { header: 'Participant Email', value: (row) => row.participant_email },
  { header: 'Proof Type', value: (row) => (row.proof_url ? 'URL' : 'Text') },
  { header: 'Proof Content', value: (row) => row.proof_text },
  { header: 'Proof URL', value: (row) => row.proof_url },
  { header: 'Status', value: (row) => row.status },
  { header: 'Review Note', value: reviewText },
  { header: 'Submitted Date', value: (row) => row.submitted_at },
  { header: 'Reviewed Date', value: (row) => row.reviewed_at },
  { header: 'Reviewed By', value: (row) => decidedBy(row.reviewed_by, 'the project') },
];

/** The same for all quests of a project: each row starts with its quest. */
export const projectSubmissionColumns: CsvColumn<ReviewedSubmission>[] = [
  { header: 'Quest Title', value: (row) => row.campaign_title },
  ...submissionColumns,
];

/** `quest_submissions_{title}_{date}.csv`; everything but letters and digits in the title of the quest or the name of the project becomes an underscore. */
export function submissionFileName(title: string, now: Date = new Date()): string {
  return `quest_submissions_${title.replace(/[^a-z0-9]/gi, '_')}_${isoDay(now)}.csv`;
}
