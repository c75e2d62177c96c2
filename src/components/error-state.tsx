import { RotateCcw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { errorMessage } from '@/lib/errors';

type ErrorStateProps = {
  /** What could not be loaded: 'The quests could not be loaded'. */
  title: string;
  /** Worded by lib/errors; or pass `text` where the specification gives the words. */
  error?: unknown;
  text?: string;
  onRetry: () => void;
  isRetrying?: boolean;
  retryLabel?: string;
};

/**
 * A failed read: never shown as 'nothing here', always with a way to try again (TRUST-14). It stays while the read is
 * tried again; only the failure itself is announced, not every try.
 */
export function ErrorState({ title, error, text, onRetry, isRetrying, retryLabel = 'Retry' }: ErrorStateProps) {
  return (
    <div className="flex flex-col gap-4 rounded-card border border-l-4 border-l-danger bg-card p-4 shadow-card sm:flex-row sm:items-center sm:justify-between">
      <div role="alert">
        <p className="font-bold font-display text-lg">{title}</p>
        <p className="text-muted">{text ?? errorMessage(error)}</p>
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-3 max-sm:justify-between">
        <Button variant="secondary" onClick={onRetry} isLoading={isRetrying}>
          <RotateCcw aria-hidden="true" />
          {retryLabel}
        </Button>
        {isRetrying && <span className="text-muted text-sm sm:order-first">Trying again…</span>}
      </div>
    </div>
  );
}
