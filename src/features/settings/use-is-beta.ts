import { useQuery } from '@tanstack/react-query';
import { settingsQueries } from './queries';

/** Whether the beta is on. Every sentence about the beta hangs on this (C-69); while it is not known, none is shown. */
export function useIsBeta(): boolean {
  return useQuery(settingsQueries.app()).data?.beta_mode === true;
}
