import { MessageSquarePlus } from 'lucide-react';
import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { lazyOverlay } from '@/components/lazy-overlay';
import { useSession } from '@/lib/auth';

const BetaFeedbackDialog = lazyOverlay(() => import('./beta-feedback-dialog'));

const OpenFeedbackContext = createContext<() => void>(() => undefined);

/** Opens the Beta Feedback dialog, from the tab at the edge or from a menu. */
export function useOpenFeedback(): () => void {
  return use(OpenFeedbackContext);
}

/**
 * Holds the Beta Feedback dialog (FEED-01). Loaded on first use and kept mounted, so that a draft survives closing it.
 */
export function FeedbackProvider({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isWanted, setIsWanted] = useState(false);
  const { userId } = useSession();
  // A member's draft is discarded with the session; a visitor's is kept when the visitor signs in.
  const [writer, setWriter] = useState({ userId, number: 0 });
  if (writer.userId !== userId) {
    setWriter({ userId, number: writer.userId === null ? writer.number : writer.number + 1 });
  }

  const open = useCallback(() => {
    setIsWanted(true);
    setIsOpen(true);
  }, []);
  return (
    <OpenFeedbackContext value={open}>
      {children}
      {isWanted && <BetaFeedbackDialog key={writer.number} isOpen={isOpen} onOpenChange={setIsOpen} />}
    </OpenFeedbackContext>
  );
}

/**
 * A tab at the right edge (FEED-01). Fixed where the margin has room for it; otherwise below the content, because it
 * would cover something anywhere else.
 */
export function FeedbackTab() {
  const open = useOpenFeedback();
  return (
    <div className="mt-6 flex justify-end print:hidden">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={open}
        onPointerEnter={BetaFeedbackDialog.preload}
        onFocus={BetaFeedbackDialog.preload}
        className="mb-4 inline-flex min-h-11 items-center gap-2 rounded-l-card border border-r-0 bg-card px-3 font-medium text-muted text-sm hover:text-ink min-[80rem]:fixed min-[80rem]:top-1/2 min-[80rem]:right-0 min-[80rem]:z-20 min-[80rem]:mb-0 min-[80rem]:w-11 min-[80rem]:-translate-y-1/2 min-[80rem]:justify-center min-[80rem]:px-4 min-[80rem]:py-0 min-[80rem]:[writing-mode:vertical-rl]"
      >
        <MessageSquarePlus aria-hidden="true" className="size-4 shrink-0" />
        Share Feedback
      </button>
    </div>
  );
}
