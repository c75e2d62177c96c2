import { createContext, type ReactNode, use, useId } from 'react';
import { cn } from '@/lib/cn';

type FieldIds = { id: string; describedBy: string | undefined; isInvalid: boolean; isRequired: boolean };
const FieldContext = createContext<FieldIds | null>(null);

type ControlProps = {
  id?: string;
  required?: boolean;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling';
};

/** Connects a control to the label, hint and error of its Field; the control's own props take precedence. */
export function useFieldControl<Props extends ControlProps>(props: Props): Props {
  const field = use(FieldContext);
  if (!field) return props;
  return {
    ...props,
    id: props.id ?? field.id,
    'aria-describedby': props['aria-describedby'] ?? field.describedBy,
    'aria-invalid': props['aria-invalid'] ?? (field.isInvalid || undefined),
    required: props.required ?? (field.isRequired || undefined),
  };
}

export function Label({
  htmlFor,
  isRequired,
  className,
  children,
}: {
  htmlFor?: string;
  isRequired?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <label htmlFor={htmlFor} className={cn('font-semibold text-[0.95rem]', className)}>
      {children}
      {isRequired && (
        <span aria-hidden="true" className="text-danger">
          {' *'}
        </span>
      )}
    </label>
  );
}

/** The message under a control. It is an alert, so that it is heard when it appears. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="font-medium text-danger text-sm">
      {children}
    </p>
  );
}

type FieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  isRequired?: boolean;
  /** Shown to the right of the label, such as a character counter. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** A labelled control with hint and error. Put one Input, Textarea, Select… of this folder inside. */
export function Field({ label, hint, error, isRequired = false, aside, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  return (
    <FieldContext value={{ id, describedBy, isInvalid: Boolean(error), isRequired }}>
      <div className={cn('grid gap-1.5', className)}>
        <div className="flex items-baseline justify-between gap-3">
          <Label htmlFor={id} isRequired={isRequired}>
            {label}
          </Label>
          {aside && <span className="text-muted text-sm tabular-nums">{aside}</span>}
        </div>
        {children}
        {hint && (
          <p id={`${id}-hint`} className="text-muted text-sm">
            {hint}
          </p>
        )}
        {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      </div>
    </FieldContext>
  );
}
