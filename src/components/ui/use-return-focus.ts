import { useRef } from 'react';

/**
 * Gives the focus back to what had it when a dialog opened. Radix does so for its own triggers only, and our dialogs are
 * opened by state. Spread the result on the dialog's content.
 */
export function useReturnFocus(isOpen: boolean) {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // While rendering, because a control with autoFocus takes the focus before any effect runs.
  if (isOpen && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = isOpen;

  return {
    onCloseAutoFocus: (event: Event) => {
      if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return;
      event.preventDefault();
      // Whoever closed it may have sent the focus elsewhere already.
      if (document.activeElement === document.body) opener.current.focus({ preventScroll: true });
    },
  };
}
