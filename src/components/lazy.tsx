import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { Button } from './ui/button';

/** A component in a chunk of its own. `preload` fetches it ahead; once loaded it renders synchronously, without a fallback. */
export type LazyComponent<Props> = ComponentType<Props> & { preload: () => Promise<void> };

/** What makes the components whose code could not be fetched fetch it again when they are next mounted. */
const failed = new Set<() => void>();

function renewFailed(): void {
  for (const renew of failed) renew();
  failed.clear();
}

/** `React.lazy` with `preload`: `lazyWithPreload(() => import('./late'))`, with the component as the module's default export. */
export function lazyWithPreload<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    loaded = (await load()).default;
  };
  // React's lazy keeps a failure for ever.
  const create = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        failed.add(renew);
        throw error;
      }),
    );
  let Lazy = create();
  const renew = () => {
    Lazy = create();
  };
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each component, at module level, as lazy itself makes one
  function Late(props: Props) {
    // Keeps the component's identity for as long as it is mounted.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return createElement(Component, props);
  }
  return Object.assign(Late, { preload });
}

export const lostSentence = 'This could not be loaded. Please reload the page.';

export const lostForNowSentence = 'This could not be loaded. Please try again, or reload the page.';

type LatePartProps = {
  children: ReactNode;
  /** Shown until its code is there. */
  pending?: ReactNode;
  /** Shown when it cannot be fetched; by default a sentence with a button that fetches a `lazyWithPreload` again. */
  lost?: ReactNode;
  onLost?: () => void;
};

/**
 * A lazy-loaded part of a page. If its code cannot be fetched (offline, or replaced by a deployment), only this part fails. Without it,
 * the error page would replace the whole app, including unsaved input.
 */
export function LatePart({ children, pending = null, lost, onLost }: LatePartProps) {
  const handleError = () => {
    renewFailed();
    onLost?.();
  };
  return (
    <ErrorBoundary
      fallbackRender={({ resetErrorBoundary }) => (lost === undefined ? <Lost onRetry={resetErrorBoundary} /> : lost)}
      onError={handleError}
    >
      <Suspense fallback={pending}>{children}</Suspense>
    </ErrorBoundary>
  );
}

function Lost({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p>{lostForNowSentence}</p>
      <Button variant="secondary" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
