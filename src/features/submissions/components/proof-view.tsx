import { ExternalLink, Maximize2 } from 'lucide-react';
import { useState } from 'react';
import { lazyOverlay } from '@/components/lazy-overlay';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { screenshotName } from '../proof';
import type { Submission } from '../queries';
import type { ScreenshotDialogProps } from './screenshot-dialog-content';
import { ScreenshotImage } from './screenshot-image';

/** A screenshot as large as the screen; pressed once more, in its own size. */
const ScreenshotDialog = lazyOverlay<ScreenshotDialogProps>(() => import('./screenshot-dialog-content'));

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
      {proof.proof_text && <p className="dir-auto whitespace-pre-line [overflow-wrap:anywhere]">{proof.proof_text}</p>}
    </div>
  );
}

/** The screenshot as a thumbnail; opens full-screen, then in its original size. */
function ScreenshotViewer({ objectName }: { objectName: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label="Enlarge screenshot"
        className="relative justify-self-start rounded-control"
        onClick={() => setIsOpen(true)}
      >
        <ScreenshotImage objectName={objectName} alt="" className="max-h-64 min-h-24 w-auto min-w-32 rounded-control" />
        <span aria-hidden="true" className="absolute right-2 bottom-2 rounded-control border bg-card p-1.5">
          <Maximize2 className="size-4" />
        </span>
      </button>
      <ScreenshotDialog objectName={objectName} isOpen={isOpen} onOpenChange={setIsOpen} />
    </>
  );
}
