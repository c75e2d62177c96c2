import { useLocation } from 'react-router-dom';
import { useTargetLocation } from '@/lib/router-context';

/** A progress bar along the top edge while the next page loads and the previous one is still shown. */
export function NavigationProgress() {
  const shown = useLocation();
  const target = useTargetLocation();
  const isWaiting = target !== null && target.pathname !== shown.pathname;
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-50">
      {isWaiting && (
        <>
          <span className="sr-only">Loading page</span>
          <span aria-hidden="true" className="block h-1 origin-left animate-progress bg-action" />
        </>
      )}
    </div>
  );
}
