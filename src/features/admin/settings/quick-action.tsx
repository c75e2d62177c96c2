import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { errorMessage } from '@/lib/errors';

export type ActionResult = { isGood: boolean; title: string; details?: ReactNode };

type QuickActionProps = {
  icon: LucideIcon;
  name: string;
  text: string;
  /** Does it; tells its progress in words. Throws AppError. */
  run: (onProgress: (words: string) => void) => Promise<ActionResult>;
};

/** One thing to do for the system: what it does, how far it is, what came of it (C-54). */
export function QuickAction({ icon: Icon, name, text, run }: QuickActionProps) {
  const [progress, setProgress] = useState<string | null>(null);
  const [result, setResult] = useState<ActionResult | null>(null);

  const handleRun = async () => {
    setResult(null);
    setProgress('Working…');
    try {
      setResult(await run(setProgress));
    } catch (error) {
      setResult({ isGood: false, title: `${name} failed`, details: errorMessage(error) });
    } finally {
      setProgress(null);
    }
  };

  return (
    <li className="grid gap-3 border-b py-4 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 grow basis-60">
          <p className="font-semibold">{name}</p>
          <p className="text-muted text-sm">{text}</p>
        </div>
        <Button variant="secondary" className="max-sm:grow" isLoading={progress !== null} onClick={handleRun}>
          <Icon aria-hidden="true" />
          {name}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {progress && <p className="text-muted tabular-nums">{progress}</p>}
        {result && (
          <Notice tone={result.isGood ? 'success' : 'danger'} title={result.title}>
            {result.details}
          </Notice>
        )}
      </div>
    </li>
  );
}
