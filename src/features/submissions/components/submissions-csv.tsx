import { Download } from 'lucide-react';
import { useState } from 'react';
import { useAlert } from '@/components/alert-dialogs';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { type CsvColumn, csvBlob, downloadBlob } from '@/lib/csv';
import { describeError } from '@/lib/errors';
import { formatNumber, isoDay } from '@/lib/format';
import { fetchAllSubmissions, type ReviewedSubmission, type ReviewFilters } from '../queries';
import { decidedBy, reviewText } from '../submission';

type SubmissionsCsvProps = {
  filters: ReviewFilters;
  columns: CsvColumn<ReviewedSubmission>[];
  fileName: () => string;
};

const toastSubject = 'submissions CSV';

/** Downloads all submissions that match the filters, including those not loaded yet (SUBM-10). */
export function SubmissionsCsv({ filters, columns, fileName }: SubmissionsCsvProps) {
  const alert = useAlert();
  /** Rows fetched so far. */
  const [rowsRead, setRowsRead] = useState<number | null>(null);

  const handleDownload = async () => {
    if (rowsRead !== null) return;
    setRowsRead(0);
    try {
      const rows = await fetchAllSubmissions(filters, setRowsRead);
      if (rows.length === 0) return alert('No submissions to export');
      downloadBlob(csvBlob(rows, columns), fileName());
      toast.success('The submissions have been downloaded', toastSubject);
    } catch (error) {
      toast.error(describeError(error), toastSubject);
    } finally {
      setRowsRead(null);
    }
  };

  return (
    <>
      <Button variant="secondary" aria-disabled={rowsRead !== null} onClick={handleDownload}>
        <Download aria-hidden="true" />
        {rowsRead ? <span className="tabular-nums">{formatNumber(rowsRead)} rows</span> : 'Download CSV'}
      </Button>
      <VisuallyHidden>
        <span role="status">{rowsRead !== null && 'Collecting the submissions'}</span>
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
