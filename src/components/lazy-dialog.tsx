import { type ComponentType, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { type LazyComponent, lazyWithPreload } from './lazy';
import { toast } from './ui/toast';

type Openable = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Milliseconds after mounting at which the dialog's chunk is preloaded. */
const restAfter = 2000;

/**
 * A dialog in a chunk of its own, preloaded shortly after the page or loaded when first opened. It stays mounted after
 * that, so that unsaved input survives closing.
 */
export function lazyDialog<Props extends Openable>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyComponent<Props> {
  let Content = lazyWithPreload(load);
  // A failure is shown when the dialog is opened.
  const preload = () => Content.preload().catch(() => undefined);

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each dialog, at module level, as lazy itself makes one
  function LazyDialog(props: Props) {
    const [wasOpen, setWasOpen] = useState(false);
    const [openings, setOpenings] = useState(0);
    if (props.isOpen !== wasOpen) {
      setWasOpen(props.isOpen);
      if (props.isOpen) setOpenings(openings + 1);
    }
    // A form takes longer than a frame, so the press is seen to arrive before it is there.
    const isOpen = useDeferredValue(props.isOpen);
    useEffect(() => {
      const timer = setTimeout(preload, restAfter);
      return () => clearTimeout(timer);
    }, []);
    if (openings === 0) return null;
    const handleError = () => {
      // React keeps a failed import for good, so the next press gets a new one.
      Content = lazyWithPreload(load);
      toast.error('This could not be loaded. Please try again, or reload the page.');
      props.onOpenChange(false);
    };
    return (
      <ErrorBoundary fallback={null} resetKeys={[openings]} onError={handleError}>
        <Suspense fallback={null}>
          <Content {...props} isOpen={isOpen} />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return Object.assign(LazyDialog, { preload });
}
