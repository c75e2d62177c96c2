import { MessageSquarePlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';

const loadDialog = () => import('./beta-feedback-dialog');
const BetaFeedbackDialog = lazy(loadDialog);

/**
 * Floats over every page and opens the Beta Feedback dialog (FEED-01). The dialog comes when it is first wanted, and stays,
 * so that a half-written text survives closing it. On phones the button is its icon alone and moves above a page's
 * sticky action; so it is on pages of tables, where words would lie over the buttons of the last column.
 */
export function FeedbackButton() {
  const [isOpen, setIsOpen] = useState(false);
  const [isWanted, setIsWanted] = useState(false);

  const handleOpen = () => {
    setIsWanted(true);
    setIsOpen(true);
  };
  return (
    <>
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        onClick={handleOpen}
        onPointerEnter={loadDialog}
        onFocus={loadDialog}
        className="fixed right-3 bottom-3 z-20 rounded-full shadow-card max-sm:size-12 max-sm:p-0 sm:right-5 sm:bottom-5 [body:has([data-work-page])_&]:right-2 [body:has([data-work-page])_&]:size-12 [body:has([data-work-page])_&]:p-0 max-sm:[body:has([data-sticky-action])_&]:bottom-24"
      >
        <MessageSquarePlus aria-hidden="true" />
        <span className="max-sm:sr-only [body:has([data-work-page])_&]:sr-only">Share Feedback</span>
      </Button>
      {isWanted && (
        <ErrorBoundary
          fallback={null}
          onError={() => toast.error('The form could not be loaded. Please reload the page.')}
        >
          <Suspense>
            <BetaFeedbackDialog isOpen={isOpen} onOpenChange={setIsOpen} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
