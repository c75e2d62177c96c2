import { useState } from 'react';
import { describeError } from '@/lib/errors';
import { toast } from './ui/toast';

type Download = {
  /** What the toasts are about. */
  about: string;
  /**
   * Collects the rows, `onRows` being called with their number so far, and saves the file. Resolves to the sentence for success; to nothing
   * when there was nothing to save.
   */
  save: (onRows: (count: number) => void) => Promise<string | undefined>;
  describeFailure?: (error: unknown) => string;
};

/** State of a button that downloads a file. `rowCount`: rows collected so far, null before the first ones. The result is a toast. */
export function useDownload({ about, save, describeFailure = describeError }: Download) {
  const [isDownloading, setIsDownloading] = useState(false);
  const [rowCount, setRowCount] = useState<number | null>(null);
  const handleDownload = async () => {
    setIsDownloading(true);
    try {
      const done = await save(setRowCount);
      if (done) toast.success(done, about);
    } catch (error) {
      toast.error(describeFailure(error), about);
    } finally {
      setIsDownloading(false);
      setRowCount(null);
    }
  };
  return { isDownloading, rowCount, handleDownload };
}
