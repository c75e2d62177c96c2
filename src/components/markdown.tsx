import { lazy } from 'react';
import { LatePart } from './lazy';
import { Skeleton } from './ui/skeleton';

const load = () => import('./markdown-renderer');
const Renderer = lazy(load);

/** Preloads the renderer while the text loads. */
export function preloadMarkdown(): void {
  load().catch(() => undefined);
}

/**
 * Text that users wrote, as sanitised Markdown (TRUST-13). The renderer is a chunk of its own; until it has loaded, a
 * skeleton is shown, and the text as it was written where it cannot be.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="grid gap-3 [overflow-wrap:anywhere]">
      <LatePart
        pending={<TextSkeleton length={text.length} />}
        lost={<p className="dir-auto whitespace-pre-line">{text}</p>}
      >
        <Renderer text={text} />
      </LatePart>
    </div>
  );
}

/** Approximate characters per line. */
const lineLength = 70;

function TextSkeleton({ length }: { length: number }) {
  const lines = Math.min(Math.ceil(length / lineLength), 6);
  return (
    <div aria-busy="true" className="grid gap-2 py-1">
      {['a', 'b', 'c', 'd', 'e', 'f'].slice(0, lines).map((key) => (
        <Skeleton key={key} className="h-4 last:w-2/3" />
      ))}
    </div>
  );
}
