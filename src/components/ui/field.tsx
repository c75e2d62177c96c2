import { ChevronDown } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react';
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
function useFieldControl<Props extends ControlProps>(props: Props): Props {
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
  children,
}: {
  htmlFor: string;
  isRequired?: boolean;
  children: ReactNode;
}) {
  return (
    <label htmlFor={htmlFor} className="font-semibold text-[0.95rem]">
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

/** Shared look of everything one types or chooses in. 16 px text keeps phones from zooming in. */
const controlClass =
  'w-full rounded-control border border-field bg-card px-3 py-2 text-base text-ink placeholder:text-muted disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken aria-invalid:border-danger';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...useFieldControl(props)} className={cn(controlClass, 'min-h-11', className)} />;
}

/** Grows with its text where the browser can, scrolls where it cannot. */
export function Textarea({ className, rows = 4, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldControl(props)}
      rows={rows}
      className={cn(controlClass, 'field-sizing-content max-h-96 min-h-24 resize-y', className)}
    />
  );
}

/** The native select: best on phones and for assistive technology. Options are its children. */
export function Select({ className, children, ...props }: ComponentProps<'select'>) {
  return (
    <span className={cn('relative block', className)}>
      <select {...useFieldControl(props)} className={cn(controlClass, 'min-h-11 appearance-none pr-10')}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
