import { FirstContent } from '@/components/first-content';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';

/** Shown while a page's code or the session loads. */
export function PageLoading() {
  return <FirstContent part="page" fallback={<PageSkeleton />} />;
}

function PageSkeleton() {
  return (
    <div className="page-column py-8" aria-busy="true">
      <VisuallyHidden>
        <span role="status">Loading page</span>
      </VisuallyHidden>
      <Skeleton className="h-9 w-64 max-w-full" />
      <Skeleton className="mt-4 h-4 w-96 max-w-full" />
      <div className="card-grid mt-8">
        <Skeleton shape="card" className="h-44" />
        <Skeleton shape="card" className="h-44" />
        <Skeleton shape="card" className="h-44" />
      </div>
    </div>
  );
}
