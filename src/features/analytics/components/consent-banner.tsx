import { Button } from '@/components/ui/button';
import { getEnv } from '@/lib/env';
import { setConsent, useConsent } from '../consent';

/** Asks once for consent to a third-party analytics script; renders nothing when none is configured. */
export function ConsentBanner() {
  const consent = useConsent();
  if (consent !== null || !getEnv().VITE_ANALYTICS_SRC) return null;
  return (
    <section
      aria-label="Statistics"
      className="fixed inset-x-3 bottom-3 z-30 grid gap-3 rounded-card border bg-card p-4 shadow-card sm:right-auto sm:max-w-sm print:hidden"
    >
      <p>
        May we count your visit? It shows us which quests work. No advertising, and you can change your mind at the foot
        of the page.
      </p>
      <div className="flex gap-3">
        <Button variant="secondary" className="grow" onClick={() => setConsent('denied')}>
          No thanks
        </Button>
        <Button variant="secondary" className="grow" onClick={() => setConsent('granted')}>
          Allow
        </Button>
      </div>
    </section>
  );
}
