import { type UseFormReturn, useFormContext } from 'react-hook-form';
import type { QuestFormValues } from '../quest-form';

/** The creation form, for its parts. */
export function useQuestForm(): UseFormReturn<QuestFormValues> {
  return useFormContext<QuestFormValues>();
}
