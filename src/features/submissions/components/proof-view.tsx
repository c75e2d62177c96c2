import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Maximize2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { cn } from '@/lib/cn';
import { screenshotName } from '../proof-file';
import { type Submission, submissionQueries } from '../queries';

/** A proof as its reviewer sees it: the screenshot, the link in a new tab, the text (SUBM-07). */
export function ProofView({ proof }: { proof: Pick<Submission, 'proof_url' | 'proof_text'> }) {
  const screenshot = screenshotName(proof.proof_url);
  if (!proof.proof_url && !proof.proof_text) return <p className="text-muted">No proof provided</p>;
  return (
    <div className="grid gap-3">
      {screenshot && <ScreenshotViewer objectName={screenshot} />}
      {proof.proof_url && !screenshot && (
        <a
          href={proof.proof_url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-action underline underline-offset-4 [overflow-wrap:anywhere]"
        >
          {proof.proof_url}
          <ExternalLink aria-hidden="true" className="size-4 shrink-0" />
          <VisuallyHidden>(opens in a new tab)</VisuallyHidden>
        </a>
      )}
      {proof.proof_text && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{proof.proof_text}</p>}
    </div>
  );
}

/** The screenshot as a thumbnail; opens full-screen, then in its original size. */
function ScreenshotViewer({ objectName }: { objectName: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isFullSize, setIsFullSize] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label="Enlarge screenshot"
        className="relative justify-self-start rounded-control"
        onClick={() => setIsOpen(true)}
      >
        <ScreenshotImage objectName={objectName} alt="" className="max-h-64 w-auto rounded-control" />
        <span aria-hidden="true" className="absolute right-2 bottom-2 rounded-control border bg-card p-1.5">
          <Maximize2 className="size-4" />
        </span>
      </button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="Screenshot"
        className="max-sm:h-[92dvh] sm:max-w-[min(94vw,72rem)]"
      >
        <div className="max-h-[75dvh] overflow-auto">
          <button
            type="button"
            aria-label={isFullSize ? 'Fit to screen' : 'Show in actual size'}
            className={cn('mx-auto block', isFullSize ? 'cursor-zoom-out' : 'cursor-zoom-in')}
            onClick={() => setIsFullSize(!isFullSize)}
          >
            <ScreenshotImage
              objectName={objectName}
              alt="Screenshot sent as proof"
              className={isFullSize ? 'max-w-none' : 'max-h-[70dvh] max-w-full'}
            />
          </button>
        </div>
      </Dialog>
    </>
  );
}

type ScreenshotImageProps = { objectName: string; alt: string; className?: string };

/** A private screenshot, shown through a short-lived signed URL (C-59). */
export function ScreenshotImage({ objectName, alt, className }: ScreenshotImageProps) {
  const link = useQuery(submissionQueries.proofLink(objectName));
  if (link.isPending) return <Skeleton className={cn('size-full min-h-16', className)} />;
  if (link.isError) {
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
