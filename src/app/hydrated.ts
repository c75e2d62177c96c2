import { useEffect } from 'react';
import { endHydration } from '@/lib/use-is-hydrated';

declare global {
  interface Window {
    /** Buttons clicked before hydration; index.html records them until `stop`. */
    earlyPresses?: { buttons: Set<HTMLElement>; stop: () => void };
  }
}

/**
 * Rendered after the page: when its effect runs, the page is hydrated, and the recorded clicks on buttons are replayed.
 * Links work without it.
 */
export function Hydrated(): null {
  useEffect(() => {
    endHydration();
    const early = window.earlyPresses;
    if (!early) return;
    delete window.earlyPresses;
    for (const button of early.buttons) if (button.isConnected) button.click();
  }, []);
  return null;
}
