import { useRef } from 'react';

/**
 * Gives the focus back to what had it when a dialog opened. Radix does so for its own triggers only, and our dialogs are
 * opened by state. Spread the result on the dialog's content. `whenGone`: what takes it when the opener has gone meanwhile.
 */
export function useReturnFocus(isOpen: boolean, whenGone?: () => HTMLElement | null) {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // While rendering, because a control with autoFocus takes the focus before any effect runs.
  if (isOpen && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = isOpen;

  return {
    onCloseAutoFocus: (event: Event) => {
      const from = opener.current;
      const target = from instanceof HTMLElement && from.isConnected ? from : whenGone?.();
      if (!target) return;
      event.preventDefault();
      // Whoever closed it may have sent the focus elsewhere already.
      if (document.activeElement === document.body) target.focus({ preventScroll: true });
    },
  };
}
