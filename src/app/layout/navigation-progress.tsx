import { useLocation } from 'react-router-dom';
import { useTargetLocation } from '@/lib/router-context';

/** A bar along the top edge while a page that was asked for is on its way and the former one still stands. */
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
