import { zodResolver } from '@hookform/resolvers/zod';
import { createContext, use, useMemo } from 'react';
import { type UseFormReturn, useForm, useFormContext, useWatch } from 'react-hook-form';
import { errorMessage, toAppError } from '@/lib/errors';
import { emptyQuest, type QuestFormValues, storedValues } from './quest-form';
import { openingBudget, type QuestBounds, type QuestField, questSchema } from './quest-problems';

/** The form of a new or a stored quest; the caller keeps it, because its buttons stand outside as well. */
export function useQuestFormState(bounds: QuestBounds): UseFormReturn<QuestFormValues> {
  const schema = useMemo(() => questSchema(bounds), [bounds]);
  const { stored } = bounds;
  return useForm<QuestFormValues>({
    resolver: zodResolver(schema),
    defaultValues: stored
      ? { ...storedValues(stored.quest, stored.tasks), budgetPoints: openingBudget(bounds) }
      : emptyQuest,
    mode: 'onTouched',
    // The first problem on the screen is focused, not the first that was registered.
    shouldFocusError: false,
  });
}

/** Refusals of the server that belong to a field and that the form cannot know before. */
const fieldsOfCodes: Readonly<Record<string, QuestField>> = {
  HIDDEN_CHARACTERS: 'title',
  RESERVED_NAME: 'title',
  END_PASSED: 'endsAt',
};

/** Tells a refusal at its field and moves the focus there; false when it belongs to none (C-113). */
export function tellAtField(form: UseFormReturn<QuestFormValues>, error: unknown): boolean {
  const field = fieldsOfCodes[toAppError(error).code];
  if (field === undefined) return false;
  form.setError(field, { message: errorMessage(error) });
  form.setFocus(field);
  return true;
}

/** The form around a part of it. */
export function useQuestForm(): UseFormReturn<QuestFormValues> {
  return useFormContext<QuestFormValues>();
}

/** What `compute` makes of the form's values. Only the part that asks is rendered again, and only when the result has changed. */
export function useQuestValue<Value>(compute: (values: QuestFormValues) => Value): Value {
  return useWatch({ control: useQuestForm().control, compute });
}

export const QuestBoundsContext = createContext<QuestBounds | null>(null);

/** What may be entered into the form around a part of it. */
export function useQuestBounds(): QuestBounds {
  const bounds = use(QuestBoundsContext);
  if (!bounds) throw new Error('A part of the quest form stands outside of it');
  return bounds;
}
