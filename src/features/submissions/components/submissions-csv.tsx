import { Download } from 'lucide-react';
import { useState } from 'react';
import { useAlert } from '@/components/alert-provider';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { type CsvColumn, csvBlob, downloadBlob } from '@/lib/csv';
import { describeError } from '@/lib/errors';
import { formatNumber } from '@/lib/format';
import { fetchAllSubmissions, type ReviewedSubmission } from '../queries';
import type { ReviewFilters } from '../review-filters';

type SubmissionsCsvProps = {
  filters: ReviewFilters;
  columns: CsvColumn<ReviewedSubmission>[];
  fileName: () => string;
};

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
    } catch (error) {
      toast.error(describeError(error));
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
