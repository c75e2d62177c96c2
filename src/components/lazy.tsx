import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useState,
} from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { toast } from './ui/toast';

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
