import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { formatCount } from '@/lib/format';

/** Makes and hands over one file; `onProgress` hears how far it is, in words. Resolves to what to say in the end. */
export type ExportFile = (onProgress: (words: string) => void) => Promise<string>;

type ExportButtonProps = {
  label: string;
  run: ExportFile;
  /** Announced when it begins (C-53). */
  announce?: string;
  /** The sentence for a failure. */
  failure: string;
};

/** A button that collects rows and downloads them as a file; shows how far it has come and what came of it. */
export function ExportButton({ label, run, announce, failure }: ExportButtonProps) {
  const [progress, setProgress] = useState<string | null>(null);
  const isRunning = progress !== null;

  const handleExport = async () => {
    if (isRunning) return;
    setProgress('Starting');
    if (announce) toast.success(announce);
    try {
      toast.success(await run(setProgress));
    } catch {
      toast.error(failure);
    } finally {
      setProgress(null);
    }
  };

  return (
    <>
      <Button variant="secondary" aria-disabled={isRunning} onClick={handleExport}>
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
