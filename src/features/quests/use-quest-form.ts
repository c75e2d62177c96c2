import { zodResolver } from '@hookform/resolvers/zod';
import { createContext, use, useMemo } from 'react';
import { type UseFormReturn, useForm, useFormContext, useWatch } from 'react-hook-form';
import { describeError, toAppError } from '@/lib/errors';
import { emptyQuest, type QuestFormValues, storedValues } from './quest-form';
import { openingBudget, type QuestBounds, type QuestField, questSchema } from './quest-problems';

/** The form of a new or stored quest; owned by the caller, because some of its buttons are outside. */
export function useQuestFormState(bounds: QuestBounds): UseFormReturn<QuestFormValues> {
  const schema = useMemo(() => questSchema(bounds), [bounds]);
  const { stored } = bounds;
  return useForm<QuestFormValues>({
    resolver: zodResolver(schema),
    defaultValues: stored
      ? { ...storedValues(stored.quest, stored.tasks), budgetPoints: openingBudget(bounds) }
      : emptyQuest,
    mode: 'onTouched',
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
  return useWatch({ control: useQuestForm().control, compute });
}

export const QuestBoundsContext = createContext<QuestBounds | null>(null);

/** Validation context of the enclosing form. */
export function useQuestBounds(): QuestBounds {
  const bounds = use(QuestBoundsContext);
  if (!bounds) throw new Error('A part of the quest form stands outside of it');
  return bounds;
}
