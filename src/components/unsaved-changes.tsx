import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Location, type NavigateOptions, useBlocker } from 'react-router-dom';
import { DiscardDialog } from '@/components/ui/dialog';
import { setLeaveConfirmation } from '@/lib/confirm-leave';
import { useMoveOn } from '@/lib/router-context';

/** Page and tab: changing search, sort or period keeps a form mounted, changing the tab does not. */
function screenOf({ pathname, search }: Location): string {
  return `${pathname}?tab=${new URLSearchParams(search).get('tab') ?? ''}`;
}

/**
 * Warns about unsaved changes on navigation, when the tab is closed, and before signing out or switching the role. Render
 * `dialog` with the form. `leave` navigates away after saving, unless the person has left while it was being saved.
 * `onDiscard` is called when the user chooses to lose the changes: for forms with a draft, which forget it then.
 */
export function useUnsavedChanges(
  isDirty: boolean,
  onDiscard?: () => void,
): { dialog: ReactNode; leave: (to: string, options?: NavigateOptions) => void } {
  // Bound to the page of this render: a `leave` that is called after saving belongs to the page on which saving began.
  const moveOn = useMoveOn()();
  const isAllowed = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !isAllowed.current && screenOf(currentLocation) !== screenOf(nextLocation),
  );

  useEffect(() => {
    if (!isDirty) return;
    const handleBeforeUnload = (event: BeforeUnloadEvent) => {
      if (!isAllowed.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', handleBeforeUnload);
    return () => window.removeEventListener('beforeunload', handleBeforeUnload);
  }, [isDirty]);

  // The changes were saved while the dialog was asking whether to lose them: nothing is lost any more, so leave.
  const isMoot = !isDirty && blocker.state === 'blocked';
  useEffect(() => {
    if (isMoot) blocker.proceed?.();
  }, [isMoot, blocker]);

  const hasDraft = onDiscard !== undefined;
  const [answer, setAnswer] = useState<((isLeaving: boolean) => void) | null>(null);
  useEffect(() => {
    if (!isDirty) return;
    const ask = () => isAllowed.current || new Promise<boolean>((resolve) => setAnswer(() => resolve));
    return setLeaveConfirmation(ask, hasDraft);
  }, [isDirty, hasDraft]);

  const handleAnswer = (isLeaving: boolean) => {
    if (answer) isAllowed.current = isLeaving;
    answer?.(isLeaving);
    setAnswer(null);
    if (isLeaving) onDiscard?.();
    if (isLeaving) blocker.proceed?.();
    else blocker.reset?.();
  };
  const dialog = (
    <DiscardDialog
      isOpen={(blocker.state === 'blocked' && !isMoot) || answer !== null}
      title="Leave without saving?"
      description="What you changed on this page will be lost."
      confirmLabel="Leave page"
      onAnswer={handleAnswer}
    />
  );
  return {
    dialog,
    leave: (to, options) => {
      isAllowed.current = true;
      void moveOn(to, options);
    },
  };
}
