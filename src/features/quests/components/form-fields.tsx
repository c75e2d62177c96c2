import { zodResolver } from '@hookform/resolvers/zod';
import { type ComponentProps, createContext, type ReactNode, use, useId, useMemo, useState } from 'react';
import {
  Controller,
  type FieldPathByValue,
  type UseFormReturn,
  useForm,
  useFormContext,
  useWatch,
} from 'react-hook-form';
import { Checkbox } from '@/components/ui/checkbox';
import { Field, Input, Textarea } from '@/components/ui/field';
import { validationTime } from '@/components/zod-form';
import { describeError, toAppError } from '@/lib/errors';
import { formatNumber } from '@/lib/format';
import { emptyQuest, type QuestFormValues, storedValues } from '../quest-form';
import {
  openingBudget,
  type QuestBounds,
  type QuestField,
  questSchema,
  type TextFieldName,
  textLimit,
} from '../quest-problems';

type FormSectionProps = { title: string; text?: ReactNode; children: ReactNode };

/** A section of a long form: a card with a heading. */
export function FormSection({ title, text, children }: FormSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-5 rounded-card border bg-card p-4 shadow-card sm:p-6">
      <header>
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {text && <p className="mt-1 text-muted">{text}</p>}
      </header>
      {children}
    </section>
  );
}

type FieldWords = { label: string; hint?: ReactNode };

type TextFieldProps = FieldWords & {
  name: TextFieldName;
  isRequired?: boolean;
  /** Rows of a multi-line text; a single line when omitted. */
  rows?: number;
  placeholder?: string;
  readOnly?: boolean;
};

/** A text field with a character counter. */
export function TextField({ name, label, hint, isRequired, rows, ...props }: TextFieldProps) {
  const { control, register, getFieldState, formState } = useQuestForm();
  const { length } = useWatch({ control, name });
  const { error, isTouched } = getFieldState(name, formState);
  return (
    <Field
      label={label}
      hint={hint}
      isRequired={isRequired}
      // Adding a task makes the form check all of them, also the new one, which nobody has filled in yet.
      error={isTouched || formState.isSubmitted ? error?.message : undefined}
      aside={`${formatNumber(length)} / ${formatNumber(textLimit(name))}`}
    >
      {rows === undefined ? (
        <Input {...register(name)} {...props} />
      ) : (
        <Textarea {...register(name)} rows={rows} {...props} />
      )}
    </Field>
  );
}

type NumberFieldProps = FieldWords & {
  name: FieldPathByValue<QuestFormValues, number>;
  /** Value for blank or invalid input. */
  fallback: number;
  min?: number;
  max: number;
};

/** A whole-number field, which is never left blank. */
export function NumberField({ name, label, hint, ...range }: NumberFieldProps) {
  const { control, getFieldState, formState } = useQuestForm();
  return (
    <Field label={label} hint={hint} isRequired error={getFieldState(name, formState).error?.message}>
      <Controller control={control} name={name} render={({ field }) => <NumberInput {...field} {...range} />} />
    </Field>
  );
}

type CheckboxFieldProps = {
  name: FieldPathByValue<QuestFormValues, boolean>;
  label: string;
  hint?: string;
  disabled?: boolean;
};

/** A checkbox field. */
export function CheckboxField({ name, ...props }: CheckboxFieldProps) {
  return (
    <Controller
      control={useQuestForm().control}
      name={name}
      render={({ field: { value, ...field } }) => <Checkbox {...field} {...props} checked={value} />}
    />
  );
}

type NumberInputProps = Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'min' | 'max' | 'type'> & {
  value: number;
  onChange: (value: number) => void;
  fallback: number;
  min?: number;
  max: number;
};

/**
 * A whole-number input that does not fight typing: with focus it shows the typed text, so that it can be cleared; on
 * blur it shows the parsed number.
 */
function NumberInput({ value, onChange, fallback, min, max, onBlur, ...props }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      {...props}
      inputMode="numeric"
      autoComplete="off"
      className="tabular-nums"
      value={typed ?? String(value)}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(parseWhole(event.target.value, { fallback, min, max }));
      }}
      onBlur={(event) => {
        setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}

/**
 * Parses a typed whole number. Blank or invalid input gives the fallback; below `min` gives `min`, above `max` gives
 * `max`; decimals are truncated (QNEW-16, QEDIT-11, QEDIT-12, C-36).
 */
export function parseWhole(text: string, { fallback, min = 0, max }: { fallback: number; min?: number; max: number }) {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), min), max) : fallback;
}

/** The form of a new or stored quest; owned by the caller, because some of its buttons are outside. */
export function useQuestFormState(bounds: QuestBounds): UseFormReturn<QuestFormValues> {
  const schema = useMemo(() => questSchema(bounds), [bounds]);
  const { stored } = bounds;
  return useForm<QuestFormValues>({
    resolver: zodResolver(schema),
    defaultValues: stored
      ? { ...storedValues(stored.quest, stored.tasks), budgetPoints: openingBudget(bounds) }
      : emptyQuest,
    ...validationTime,
    // Focuses the first error on the screen rather than the first registered field.
    shouldFocusError: false,
  });
}

/** Server errors that belong to a field and that the form cannot check itself. */
const fieldsOfCodes: Readonly<Record<string, QuestField>> = {
  HIDDEN_CHARACTERS: 'title',
  RESERVED_NAME: 'title',
  END_PASSED: 'endsAt',
};

/** Shows a server error at its field and focuses it; false when it belongs to none (C-113). */
export function setFieldError(form: UseFormReturn<QuestFormValues>, error: unknown): boolean {
  const field = fieldsOfCodes[toAppError(error).code];
  if (field === undefined) return false;
  form.setError(field, { message: describeError(error) });
  form.setFocus(field);
  return true;
}

/** The enclosing form, from context. */
export function useQuestForm(): UseFormReturn<QuestFormValues> {
  return useFormContext<QuestFormValues>();
}

/**
 * A value derived from the form's values. Rerenders only the calling component, and only when the result has changed.
 */
export function useQuestValue<Value>(compute: (values: QuestFormValues) => Value): Value {
  // A copy, because the form changes its values in place: the last result would always equal the next one.
  return useWatch({ control: useQuestForm().control, compute: (values) => structuredClone(compute(values)) });
}

export const QuestBoundsContext = createContext<QuestBounds | null>(null);

/** Validation context of the enclosing form. */
export function useQuestBounds(): QuestBounds {
  const bounds = use(QuestBoundsContext);
  if (!bounds) throw new Error('A part of the quest form stands outside of it');
  return bounds;
}
