import { Check } from 'lucide-react';
import { Checkbox as Primitive } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '@/lib/cn';

type CheckboxProps = ComponentProps<typeof Primitive.Root> & {
  label: ReactNode;
  hint?: ReactNode;
  /** No room of its own: it stands in a row that has the height of a finger. */
  isCompact?: boolean;
};

/** A checkbox with its label beside it; the whole row can be pressed. */
export function Checkbox({ label, hint, isCompact = false, className, id, ...props }: CheckboxProps) {
  const generated = useId();
  const controlId = id ?? generated;
  return (
    <div className={cn('flex items-start gap-3', !isCompact && 'min-h-11 py-2', className)}>
      <Primitive.Root
        {...props}
        id={controlId}
        aria-describedby={hint ? `${controlId}-hint` : undefined}
        className="relative mt-0.5 grid size-5 shrink-0 place-items-center rounded border border-field bg-card disabled:cursor-not-allowed disabled:border-dashed disabled:bg-sunken before:absolute before:-inset-3 data-[state=checked]:border-action data-[state=checked]:bg-action"
      >
        <Primitive.Indicator>
          <Check aria-hidden="true" className="size-4 text-on-action" strokeWidth={3} />
        </Primitive.Indicator>
      </Primitive.Root>
      <div>
        <label htmlFor={controlId} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${controlId}-hint`} className="text-muted text-sm">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
