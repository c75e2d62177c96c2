import { DropdownMenu as Primitive } from 'radix-ui';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { cn } from '@/lib/cn';
import { useCloseRequest } from './use-close-request';

type DropdownMenuProps = {
  /** A single button. */
  trigger: ReactNode;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
};

/** A menu under its trigger, moved through with arrow keys. */
export function DropdownMenu({ trigger, isOpen, onOpenChange, children }: DropdownMenuProps) {
  useCloseRequest(isOpen, () => onOpenChange(false));
  const focusFirst = useFocusFirstItem();
  return (
    <Primitive.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          ref={focusFirst}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 max-w-[min(24rem,var(--radix-dropdown-menu-content-available-width))] animate-appear overflow-y-auto rounded-card border bg-card p-1.5 shadow-card [overflow-wrap:anywhere]"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/**
 * Focuses the first item when the menu opens by the key that also loaded its code. Radix, which heard no key, would focus the menu as it does
 * for a pointer.
 */
function useFocusFirstItem() {
  const [isDue, setIsDue] = useState(() => document.activeElement?.matches(':focus-visible') ?? false);
  return (content: HTMLElement | null) => {
    if (!content || !isDue) return;
    content.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
    setIsDue(false);
  };
}

const itemClass =
  'flex min-h-11 w-full cursor-pointer select-none items-center gap-3 rounded-control px-3 outline-none data-highlighted:bg-sunken data-disabled:opacity-55 [&_svg]:size-4 [&_svg]:text-muted';

export function MenuItem(props: Omit<ComponentProps<typeof Primitive.Item>, 'className'>) {
  return <Primitive.Item {...props} className={itemClass} />;
}

type MenuRadioGroupProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode }[];
};

/** One choice out of a few inside a menu; choosing leaves the menu open, so that the effect can be seen. */
export function MenuRadioGroup<Value extends string>({ label, value, onChange, options }: MenuRadioGroupProps<Value>) {
  return (
    <Primitive.RadioGroup aria-label={label} value={value} onValueChange={(next) => onChange(next as Value)}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <Primitive.RadioItem
          key={option.value}
          value={option.value}
          onSelect={(event) => event.preventDefault()}
          className={cn(itemClass, 'data-[state=checked]:font-semibold data-[state=checked]:text-action')}
        >
          {option.label}
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-3 pt-2 pb-1 text-muted text-sm">{children}</Primitive.Label>;
}

export function MenuSeparator() {
  return <Primitive.Separator className="my-1.5 h-px bg-line" />;
}
