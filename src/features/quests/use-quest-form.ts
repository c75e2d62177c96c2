import { zodResolver } from '@hookform/resolvers/zod';
import { createContext, use, useMemo } from 'react';
import { type UseFormReturn, useForm, useFormContext } from 'react-hook-form';
import { emptyQuest, type QuestFormValues, storedValues } from './quest-form';
import { type QuestBounds, questSchema } from './quest-problems';

/** The form of a new or a stored quest; the caller keeps it, because its buttons stand outside as well. */
export function useQuestFormState(bounds: QuestBounds): UseFormReturn<QuestFormValues> {
  const schema = useMemo(() => questSchema(bounds), [bounds]);
  const { stored } = bounds;
  return useForm<QuestFormValues>({
    resolver: zodResolver(schema),
    defaultValues: stored ? storedValues(stored.quest, stored.tasks) : emptyQuest,
    mode: 'onTouched',
    // The first problem on the screen is focused, not the first that was registered.
    shouldFocusError: false,
  });
}

/** The form around a part of it. */
export function useQuestForm(): UseFormReturn<QuestFormValues> {
  return useFormContext<QuestFormValues>();
}

export const QuestBoundsContext = createContext<QuestBounds | null>(null);

/** What may be entered into the form around a part of it. */
export function useQuestBounds(): QuestBounds {
  const bounds = use(QuestBoundsContext);
  if (!bounds) throw new Error('A part of the quest form stands outside of it');
  return bounds;
}
