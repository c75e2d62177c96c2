import { useRef } from 'react';

/**
 * Restores the focus to the element that had it when a dialog opened. Radix does so for its own triggers only, and our
 * dialogs are opened by state. Spread the result on the dialog's content. `whenGone`: takes the focus when the opener
 * has unmounted; by default the page does, because the browser would go on from the end of the document.
 */
export function useReturnFocus(isOpen: boolean, whenGone?: () => HTMLElement | null) {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // During render, because a control with autoFocus takes the focus before any effect runs.
  if (isOpen && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = isOpen;

  return {
    onCloseAutoFocus: (event: Event) => {
      const from = opener.current;
      const target =
        from instanceof HTMLElement && from.isConnected ? from : (whenGone?.() ?? document.getElementById('main'));
      if (!target) return;
      event.preventDefault();
      // The code that closed it may have moved the focus already.
      if (document.activeElement === document.body) target.focus({ preventScroll: true });
    },
  };
}
