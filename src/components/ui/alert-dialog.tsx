import { AlertDialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { DialogActions, overlayClass, panelClass } from './dialog';
import { useCloseRequest } from './use-close-request';
import { useReturnFocus } from './use-return-focus';

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
    <Primitive.Root open={isOpen} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClass} />
        <Primitive.Content {...returnFocus} className={panelClass({ size: 'sm' })}>
          <Primitive.Title className="text-xl">{title}</Primitive.Title>
          <Primitive.Description className="mt-2 text-muted">{description}</Primitive.Description>
          {children}
          <DialogActions>{actions}</DialogActions>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Wrap the button that leaves things as they are; it has the focus when the dialog opens. */
export function AlertCancel({ children }: { children: ReactNode }) {
  return <Primitive.Cancel asChild>{children}</Primitive.Cancel>;
}
