import { queryOptions } from '@tanstack/react-query';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';

type Functions = Database['public']['Functions'];
/** A signing secret, identified by its last characters. */
export type SigningSecret = Functions['list_signing_secrets']['Returns'][number];
/** A signed call from the project, or its response to a check. */
export type VerificationCall = Functions['list_verification_calls']['Returns'][number];

const keys = {
  secrets: (projectId: string) => ['startups', 'signing-secrets', projectId] as const,
  calls: (projectId: string) => ['startups', 'verification-calls', projectId] as const,
};

/** Queries of the developers' page. */
export const developerQueries = {
  secrets: (projectId: string) =>
    queryOptions({
      queryKey: keys.secrets(projectId),
      queryFn: ({ signal }): Promise<SigningSecret[]> =>
        unwrap(supabase().rpc('list_signing_secrets', { p_startup_id: projectId }, { get: true }).abortSignal(signal)),
    }),

  /** The last 50, newest first. Polled every 5 s, because somebody is testing their integration. */
  calls: (projectId: string) =>
    queryOptions({
      queryKey: keys.calls(projectId),
      queryFn: ({ signal }): Promise<VerificationCall[]> =>
        unwrap(
          supabase().rpc('list_verification_calls', { p_startup_id: projectId }, { get: true }).abortSignal(signal),
        ),
      ...poll(5),
    }),
};
