import { Popover as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { useCloseRequest } from './use-close-request';

type PopoverProps = {
  /** Accessible name of the panel. */
  label: string;
  /** A single button. */
  trigger: ReactNode;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
};

/** A panel below its trigger, for anything but a menu. Escape and a press outside close it and return the focus to the trigger. */
export function Popover({ label, trigger, isOpen, onOpenChange, children }: PopoverProps) {
  useCloseRequest(isOpen, () => onOpenChange(false));
  return (
    <Primitive.Root open={isOpen} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-50 w-[min(26rem,calc(100vw-1.5rem))] animate-appear rounded-card border bg-card p-2 shadow-card"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
