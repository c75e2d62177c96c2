import { useQuery } from '@tanstack/react-query';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { cn } from '@/lib/cn';
import { submissionQueries } from '../queries';

type ScreenshotImageProps = { objectName: string; alt: string; className?: string };

/** A private screenshot, shown through a link that works for minutes only (C-59). */
export function ScreenshotImage({ objectName, alt, className }: ScreenshotImageProps) {
  const link = useQuery(submissionQueries.proofLink(objectName));
  if (link.isPending) {
    return (
      <div className={className}>
        <Skeleton className="size-full min-h-16" />
      </div>
    );
  }
  // A picture that is on the screen stays when renewing its link fails.
  if (link.data === undefined) {
    return (
      <div role="alert" className="grid justify-items-start gap-2 text-sm">
        <p>The screenshot could not be loaded.</p>
        <Button variant="secondary" onClick={() => link.refetch()} isLoading={link.isFetching}>
          Retry
        </Button>
      </div>
    );
  }
  return <img src={link.data} alt={alt} className={cn('border bg-sunken object-contain', className)} />;
}
