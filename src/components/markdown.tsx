import { lazy, Suspense } from 'react';
import { Skeleton } from './ui/skeleton';

const load = () => import('./markdown-renderer');
const Renderer = lazy(load);

/** Fetches the renderer ahead of the text, so that both arrive together. A failure shows when it is needed. */
export function preloadMarkdown(): void {
  load().catch(() => undefined);
}

/** Text that users wrote, as sanitised Markdown (TRUST-13). The renderer comes in its own chunk; until then lines stand in for it. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="grid gap-3 [overflow-wrap:anywhere]">
      <Suspense fallback={<TextSkeleton length={text.length} />}>
        <Renderer text={text} />
      </Suspense>
    </div>
  );
}

/** Characters in a line, about. */
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
