import { Slot } from 'radix-ui';
import {
  type ComponentType,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import type { LazyComponent } from './lazy';
import { toast } from './ui/toast';

export type Openable = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/**
 * With `trigger`, a single button: what opens next to it, a menu or popover. Without: a dialog, opened by its page. `pending` is rendered
 * while its code is being fetched.
 */
export type OverlayProps = Openable & { trigger?: ReactElement; pending?: ReactNode };

/** Milliseconds after mounting at which the overlay's chunk is preloaded. */
const restAfter = 2000;

/**
 * A dialog, menu or popover in a chunk of its own, preloaded shortly after the page or loaded when first opened. It stays
 * mounted after that, so that unsaved input survives closing. From then on it also renders its trigger. If the chunk cannot be fetched,
 * the next opening tries again.
 */
export function lazyOverlay<Props extends OverlayProps>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const fetchContent = async () => {
    loaded ??= (await load()).default;
  };
  // A failure is shown when the overlay is opened.
  const preload = () => fetchContent().catch(() => undefined);

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each overlay, at module level, as React's lazy makes one
  function LazyOverlay(props: Props) {
    const [Content, setContent] = useState<ComponentType<Props> | null>(null);
    // Rendering a form takes longer than a frame; deferred, the press shows its effect first.
    const isOpen = useDeferredValue(props.isOpen);
    // Closing is deferred too. Until then it keeps its last props, because the page may have cleared what the overlay was about.
    const [lastOpen, setLastOpen] = useState(props);
    if (props.isOpen && props !== lastOpen) setLastOpen(props);
    if (isOpen && !Content && loaded) setContent(() => loaded);

    useEffect(() => {
      const timer = setTimeout(preload, restAfter);
      return () => clearTimeout(timer);
    }, []);

    const isMissing = isOpen && !Content;
    const giveUp = useEffectEvent(() => {
      toast.error('This could not be loaded. Please try again, or reload the page.');
      props.onOpenChange(false);
    });
    useEffect(() => {
      if (!isMissing) return;
      let isWanted = true;
      const show = () => isWanted && setContent(() => loaded);
      fetchContent().then(show, () => isWanted && giveUp());
      return () => {
        isWanted = false;
      };
    }, [isMissing]);

    if (Content) return <Content {...(isOpen ? lastOpen : props)} isOpen={isOpen} />;
    if (isMissing && props.pending) return props.pending;
    return props.trigger && <ClosedTrigger {...props} trigger={props.trigger} onPointerDown={() => void preload()} />;
  }
  return Object.assign(LazyOverlay, { preload });
}

type ClosedTriggerProps = Openable & { trigger: ReactElement; onPointerDown: () => void };

/** The trigger until the overlay's code is there, with the key that opens menus as Enter does. */
function ClosedTrigger({ trigger, isOpen, onOpenChange, onPointerDown }: ClosedTriggerProps) {
  const open = () => onOpenChange(true);
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    open();
  };
  return (
    <Slot.Root
      aria-expanded={false}
      aria-busy={isOpen}
      onPointerDown={onPointerDown}
      onKeyDown={handleKeyDown}
      onClick={open}
    >
      {trigger}
    </Slot.Root>
  );
}
