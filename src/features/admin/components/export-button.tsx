import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { useDownload } from '@/components/use-download';
import type { CsvColumn } from '@/lib/csv';
import { formatCount } from '@/lib/format';
import { downloadCsv } from '../export';

export type ExportButtonProps<Row> = {
  label: string;
  /** The beginning of the file's name. */
  name: string;
  columns: CsvColumn<Row>[];
  fetchRows: (onRows: (count: number) => void) => Promise<readonly Row[]>;
  /** Announced when the export starts (C-53). */
  announce?: string;
  /** What the rows are of, for the message of success. */
  what?: string;
  /** Message for a failure. */
  failure: string;
};

/** A button that collects rows and downloads them as a file; shows progress and result. */
export function ExportButton<Row>(props: ExportButtonProps<Row>) {
  const { label, name, columns, fetchRows, announce, what, failure } = props;
  const { mutateAsync } = useMutation({
    mutationFn: async (onRows: (count: number) => void) => {
      const rows = await fetchRows(onRows);
      await downloadCsv(name, rows, columns);
      return `Exported ${formatCount(rows.length, 'row')}${what ? ` of ${what}` : ''}`;
    },
    meta: { calls: ['record_admin_export'] },
  });
  const { isDownloading, rowCount, handleDownload } = useDownload({
    about: label,
    save: (onRows) => {
      if (announce) toast.success(announce);
      return mutateAsync(onRows);
    },
    describeFailure: () => failure,
  });
  const progress = rowCount === null ? 'Starting' : formatCount(rowCount, 'row');
  return (
    <>
      <Button variant="secondary" aria-disabled={isDownloading} className="print:hidden" onClick={handleDownload}>
        <Download aria-hidden="true" />
        <span className="tabular-nums">{isDownloading ? progress : label}</span>
      </Button>
      <VisuallyHidden>
        <span role="status">{isDownloading && (announce ?? `${label}: collecting rows`)}</span>
      </VisuallyHidden>
    </>
  );
}
