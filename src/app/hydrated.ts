import { useEffect } from 'react';
import { endHydration } from '@/lib/use-is-hydrated';

declare global {
  interface Window {
    /** Buttons that were pressed before the app could hear it; index.html notes them until `stop`. */
    earlyPresses?: { buttons: Set<HTMLElement>; stop: () => void };
  }
}

/**
 * Stands behind the page: when its effect runs, the app has taken over what the host had sent. Buttons that were pressed until then
 * are pressed again. Links need nothing: they lead to their page by themselves.
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
