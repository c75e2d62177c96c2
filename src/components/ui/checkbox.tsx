import { Check } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '@/lib/cn';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  label: ReactNode;
  hint?: ReactNode;
  onChange: (isChecked: boolean) => void;
  /** Without the minimum height of a touch target, for rows that have it already. */
  isCompact?: boolean;
};

/** A checkbox with its label beside it; the whole row can be pressed. */
export function Checkbox({ label, hint, onChange, isCompact = false, className, id, ...props }: CheckboxProps) {
  const generated = useId();
  const controlId = id ?? generated;
  return (
    <div className={cn('flex items-start gap-3', !isCompact && 'min-h-11 py-2', className)}>
      <span className="relative mt-0.5 grid size-5 shrink-0 place-items-center">
        <input
          {...props}
          type="checkbox"
          id={controlId}
          aria-describedby={hint ? `${controlId}-hint` : undefined}
          onChange={(event) => onChange(event.target.checked)}
          className="peer absolute inset-0 appearance-none rounded border border-field bg-card before:absolute before:-inset-3 checked:border-action checked:bg-action disabled:cursor-not-allowed disabled:border-dashed disabled:bg-sunken"
        />
        <Check
          aria-hidden="true"
          className="pointer-events-none relative hidden size-4 text-on-action peer-checked:block"
          strokeWidth={3}
        />
      </span>
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
