import { useQuery } from '@tanstack/react-query';
import { settingsQueries } from './queries';

/** Whether the beta is on. Every text about the beta depends on this (C-69); while it is loading, none is shown. */
export function useIsBeta(): boolean {
  return useQuery(settingsQueries.app()).data?.beta_mode === true;
}
