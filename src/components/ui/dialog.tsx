import { X } from 'lucide-react';
import { AlertDialog as AlertPrimitive, Dialog as Primitive } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { cn } from '@/lib/cn';
import { Button } from './button';
import { useCloseRequest } from './use-close-request';

/** As high as the panels, so that the overlay of a dialog that another one has opened dims that one, too. */
const overlayClass = 'fixed inset-0 z-50 bg-[rgb(28_26_22/0.5)] animate-appear';
const places = {
  /** Phones: a sheet at the bottom, in thumb's reach; larger screens: a card in the middle. */
  middle:
    'inset-x-0 bottom-0 w-full overflow-y-auto rounded-t-card sm:inset-auto sm:top-1/2 sm:left-1/2 sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-card',
  /** At the top, also on phones, where the keyboard covers the bottom and the results grow. */
  top: 'inset-x-2 top-2 overflow-hidden rounded-card sm:inset-x-auto sm:top-[12vh] sm:left-1/2 sm:w-full sm:-translate-x-1/2',
} as const;

const sizes = {
  sm: 'sm:max-w-md',
  md: 'sm:max-w-lg',
  lg: 'sm:max-w-2xl',
  screen: 'max-sm:h-[92dvh] sm:max-w-[min(94vw,72rem)]',
} as const;

type PanelLook = { place?: keyof typeof places; size?: keyof typeof sizes };

function panelClass({ place = 'middle', size = 'md' }: PanelLook): string {
  return cn(
    'fixed z-50 flex max-h-[92dvh] animate-appear scroll-py-5 flex-col border bg-card p-5 shadow-card sm:p-6',
    places[place],
    sizes[size],
  );
}

/** The results of a search in a dialog at the top, which scroll by themselves. */
export const searchResultsClass = '-mx-2 max-h-[min(26rem,60dvh)] scroll-py-2 overflow-y-auto px-2';

type DialogProps = PanelLook & {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  /** One sentence below the title; without it, the title alone describes the dialog. */
  description?: ReactNode;
  children: ReactNode;
  /** Takes the focus after closing when the opener has unmounted. */
  returnFocusTo?: () => HTMLElement | null;
  /** Something has been typed that closing loses: whatever closes the dialog, but for the buttons in it, asks first. */
  isDirty?: boolean;
};

/** Focuses the element with data-autofocus; without one, the first control. */
const focusMarked = (event: Event) => {
  const marked = (event.currentTarget as Element | null)?.querySelector('[data-autofocus]');
  if (!(marked instanceof HTMLElement)) return;
  event.preventDefault();
  marked.focus();
};

/** Scrolls to what Tab has reached: Radix moves the focus from the last control to the first, and back, without scrolling. */
const showFocus = ({ key }: KeyboardEvent) => {
  if (key === 'Tab') document.activeElement?.scrollIntoView({ block: 'nearest' });
};

/** A modal dialog: focus stays inside, Escape, a phone's Back key and the cross close it, focus returns to what opened it. */
export function Dialog(props: DialogProps) {
  const { isOpen, onOpenChange, title, description, children, place, size, returnFocusTo, isDirty = false } = props;
  const [isAsking, setIsAsking] = useState(false);
  const handleOpenChange = (next: boolean) => {
    if (isDirty && !next) setIsAsking(true);
    else onOpenChange(next);
  };
  const handleAnswer = (isDiscarded: boolean) => {
    setIsAsking(false);
    if (isDiscarded) onOpenChange(false);
  };
  const returnFocus = useReturnFocus(isOpen, returnFocusTo);
  useCloseRequest(isOpen, () => handleOpenChange(false));
  return (
    <Primitive.Root open={isOpen} onOpenChange={handleOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClass} />
        <Primitive.Content
          {...returnFocus}
          onOpenAutoFocus={focusMarked}
          onKeyUp={showFocus}
          className={panelClass({ place, size })}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div className="grid gap-1">
              <Primitive.Title className="text-xl">{title}</Primitive.Title>
              {description && <Primitive.Description className="text-muted">{description}</Primitive.Description>}
            </div>
            <Primitive.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close" className="-mt-2 -mr-2 shrink-0">
                <X aria-hidden="true" />
              </Button>
            </Primitive.Close>
          </div>
          {children}
          <DiscardDialog
            isOpen={isAsking}
            title="Close without saving?"
            description="What you have typed here will be lost."
            confirmLabel="Close"
            onAnswer={handleAnswer}
          />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** The buttons of a dialog: stacked on phones with the main action on top, in a row elsewhere. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">{children}</div>;
}

type AlertDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  /** The buttons; one of them in AlertCancel. */
  actions: ReactNode;
  children?: ReactNode;
};

/** A dialog that must be answered: clicking outside does not close it. */
export function AlertDialog({ isOpen, onOpenChange, title, description, actions, children }: AlertDialogProps) {
  const returnFocus = useReturnFocus(isOpen);
  useCloseRequest(isOpen, () => onOpenChange(false));
  return (
    <AlertPrimitive.Root open={isOpen} onOpenChange={onOpenChange}>
      <AlertPrimitive.Portal>
        <AlertPrimitive.Overlay className={overlayClass} />
        <AlertPrimitive.Content {...returnFocus} onKeyUp={showFocus} className={panelClass({ size: 'sm' })}>
          <AlertPrimitive.Title className="text-xl">{title}</AlertPrimitive.Title>
          <AlertPrimitive.Description className="mt-2 text-muted">{description}</AlertPrimitive.Description>
          {children}
          <DialogActions>{actions}</DialogActions>
        </AlertPrimitive.Content>
      </AlertPrimitive.Portal>
    </AlertPrimitive.Root>
  );
}

/** Wrap the button that leaves things as they are; it has the focus when the dialog opens. */
export function AlertCancel({ children }: { children: ReactNode }) {
  return <AlertPrimitive.Cancel asChild>{children}</AlertPrimitive.Cancel>;
}

type DiscardDialogProps = Pick<AlertDialogProps, 'isOpen' | 'title' | 'description'> & {
  confirmLabel: string;
  onAnswer: (isDiscarded: boolean) => void;
};

/** Asks before something unsaved is lost; Escape keeps it. */
export function DiscardDialog({ isOpen, title, description, confirmLabel, onAnswer }: DiscardDialogProps) {
  return (
    <AlertDialog
      isOpen={isOpen}
      onOpenChange={(next) => !next && onAnswer(false)}
      title={title}
      description={description}
      actions={
        <>
          <AlertCancel>
            <Button variant="secondary">Keep editing</Button>
          </AlertCancel>
          <Button variant="danger" onClick={() => onAnswer(true)}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  );
}

/**
 * Restores the focus to the element that had it when a dialog opened. Radix does so for its own triggers only, and our
 * dialogs are opened by state. Spread the result on the dialog's content. `whenGone`: takes the focus when the opener
 * has unmounted; by default the list item that it was in does, or else its first control, if no useRowFocus looks after that, then the
 * dialog that it was in, or the page, because the browser would go on from the end of the document.
 */
function useReturnFocus(isOpen: boolean, whenGone?: () => HTMLElement | null) {
  const opener = useRef<Element | null>(null);
  const item = useRef<Element | null>(null);
  const outerDialog = useRef<HTMLElement | null>(null);
  const wasOpen = useRef(false);
  // During render, because a control with autoFocus takes the focus before any effect runs.
  if (isOpen && !wasOpen.current) {
    opener.current = document.activeElement;
    item.current = opener.current?.closest('li:not([data-row])') ?? null;
    outerDialog.current = opener.current?.closest<HTMLElement>('[role="dialog"]') ?? null;
  }
  wasOpen.current = isOpen;

  return {
    onCloseAutoFocus: (event: Event) => {
      const besideIt = item.current?.matches('[tabindex]')
        ? item.current
        : item.current?.querySelector('button, a, summary');
      const target = [
        opener.current,
        whenGone?.(),
        besideIt,
        outerDialog.current,
        document.getElementById('main'),
      ].find((each): each is HTMLElement => each instanceof HTMLElement && each.isConnected);
      if (!target) return;
      event.preventDefault();
      // The code that closed it may have moved the focus already.
      if (document.activeElement !== document.body) return;
      target.focus({ preventScroll: true });
      // What was confirmed may have made the page taller or shorter, so that it is outside the window or under the header. In a bar that
      // stays it would count as covered by that bar.
      const { left, top, width, height } = target.getBoundingClientRect();
      const isSeen = target.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      if (!isSeen) target.scrollIntoView({ block: 'nearest' });
    },
  };
}
