import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { formatCount } from '@/lib/format';

/** Builds and downloads one file. `onProgress` is called with a sentence; resolves to the closing message. */
export type ExportFile = (onProgress: (words: string) => void) => Promise<string>;

type ExportButtonProps = {
  label: string;
  run: ExportFile;
  /** Announced when the export starts (C-53). */
  announce?: string;
  /** Message for a failure. */
  failure: string;
};

/** A button that collects rows and downloads them as a file; shows progress and result. */
export function ExportButton({ label, run, announce, failure }: ExportButtonProps) {
  const [progress, setProgress] = useState<string | null>(null);
  const { mutateAsync } = useMutation({ mutationFn: () => run(setProgress), meta: { calls: ['record_admin_export'] } });
  const isRunning = progress !== null;

  const handleExport = async () => {
    setProgress('Starting');
    if (announce) toast.success(announce);
    try {
      toast.success(await mutateAsync(), label);
    } catch {
      toast.error(failure, label);
    } finally {
      setProgress(null);
    }
  };

  return (
    <>
      <Button variant="secondary" aria-disabled={isRunning} className="print:hidden" onClick={handleExport}>
        <Download aria-hidden="true" />
        <span className="tabular-nums">{isRunning ? progress : label}</span>
      </Button>
      <VisuallyHidden>
        <span role="status">{isRunning && (announce ?? `${label}: collecting rows`)}</span>
      </VisuallyHidden>
    </>
  );
}

/** '1,000 rows', while a file is being collected. */
export const formatRowCount = (rows: number): string => formatCount(rows, 'row');
