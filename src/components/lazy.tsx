import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';

/** A component in a chunk of its own. `preload` fetches it ahead; once loaded it renders synchronously, without a fallback. */
export type LazyComponent<Props> = ComponentType<Props> & { preload: () => Promise<void> };

/** `React.lazy` with `preload`: `lazyWithPreload(() => import('./late'))`, with the component as the module's default export. */
export function lazyWithPreload<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    loaded = (await load()).default;
  };
  const Lazy = lazy(load);
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each component, at module level, as lazy itself makes one
  function Late(props: Props) {
    // Keeps the component's identity for as long as it is mounted.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return createElement(Component, props);
  }
  return Object.assign(Late, { preload });
}

export const lostSentence = 'This could not be loaded. Please reload the page.';

type LatePartProps = {
  children: ReactNode;
  /** Shown until its code is there. */
  pending?: ReactNode;
  /** Shown when it cannot be fetched; by default a sentence. */
  lost?: ReactNode;
  onLost?: () => void;
};

/**
 * A lazy-loaded part of a page. If its code cannot be fetched (offline, or replaced by a deployment), only this part fails. Without it,
 * the error page would replace the whole app, including unsaved input.
 */
export function LatePart({
  children,
  pending = null,
  lost = <p role="alert">{lostSentence}</p>,
  onLost,
}: LatePartProps) {
  return (
    <ErrorBoundary fallback={lost} onError={onLost}>
      <Suspense fallback={pending}>{children}</Suspense>
    </ErrorBoundary>
  );
}
