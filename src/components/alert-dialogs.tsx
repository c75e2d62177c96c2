import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import type { AlertAction, ConfirmDialogProps } from './alert-dialogs-content';
import { lazyOverlay } from './lazy-overlay';

const AlertBox = lazy(async () => ({ default: (await import('./alert-dialogs-content')).AlertBox }));

/** `action`: a link to what helps, beside OK. */
type ShowAlert = (sentence: string, action?: AlertAction | null) => void;
const AlertContext = createContext<ShowAlert>(() => undefined);

/** Shows an exact sentence in a dialog, where the specification says "alert": `alert('Please provide …')`. */
export function useAlert(): ShowAlert {
  return use(AlertContext);
}

/**
 * Holds the alert that is open, if any; wraps the routes in app/root.tsx. The dialog's code is lazy-loaded with the first
 * alert; where it cannot be fetched, the browser says the sentence.
 */
export function AlertProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ sentence: string; action: AlertAction | null } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [openings, setOpenings] = useState(0);
  const show = useCallback<ShowAlert>((sentence, action = null) => {
    setShown({ sentence, action });
    setIsOpen(true);
    setOpenings((count) => count + 1);
  }, []);
  return (
    <AlertContext value={show}>
      {children}
      {shown && (
        <ErrorBoundary fallback={null} resetKeys={[openings]} onError={() => window.alert(shown.sentence)}>
          <Suspense fallback={null}>
            <AlertBox {...shown} isOpen={isOpen} onOpenChange={setIsOpen} />
          </Suspense>
        </ErrorBoundary>
      )}
    </AlertContext>
  );
}

/** Asks for confirmation of something that cannot be undone. */
export const ConfirmDialog = lazyOverlay<ConfirmDialogProps>(async () => ({
  default: (await import('./alert-dialogs-content')).ConfirmDialogContent,
}));
