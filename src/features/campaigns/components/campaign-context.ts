import { type UseFormReturn, useFormContext } from 'react-hook-form';
import type { CampaignFormValues } from '../campaign-form';

/** The edit form, for its parts. */
export function useCampaignForm(): UseFormReturn<CampaignFormValues> {
  return useFormContext<CampaignFormValues>();
}
