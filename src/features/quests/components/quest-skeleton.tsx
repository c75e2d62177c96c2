import { PageMeta } from '@/components/page-meta';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';

/** A quest's page on its way. */
export function QuestSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-6 py-8">
      <PageMeta title="Quest" />
      <VisuallyHidden>
        <span role="status">Loading quest</span>
      </VisuallyHidden>
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-10 w-3/4" />
      <div className="grid gap-6 lg:grid-cols-[1fr_20rem]">
        <div className="grid gap-4">
          <Skeleton className="h-44 rounded-card" />
          <Skeleton className="h-44 rounded-card" />
        </div>
        <Skeleton className="h-56 rounded-card" />
      </div>
    </div>
  );
}
