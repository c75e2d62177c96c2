import { type UseFormReturn, useFormContext } from 'react-hook-form';
import type { QuestFormValues } from './create-form';
import type { QuestEditValues } from './edit-form';

/** The creation form, for its parts. */
export function useQuestForm(): UseFormReturn<QuestFormValues> {
  return useFormContext<QuestFormValues>();
}

/** The edit form, for its parts. */
export function useQuestEditForm(): UseFormReturn<QuestEditValues> {
  return useFormContext<QuestEditValues>();
}
