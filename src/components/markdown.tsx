import { lazy, Suspense } from 'react';

const Renderer = lazy(() => import('./markdown-renderer'));

/**
 * Text that users wrote, as sanitised Markdown (TRUST-13). The renderer comes in its own chunk; until then the text is
 * shown as it was typed.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="grid gap-3 [overflow-wrap:anywhere]">
      <Suspense fallback={<p className="whitespace-pre-line">{text}</p>}>
        <Renderer text={text} />
      </Suspense>
    </div>
  );
}
