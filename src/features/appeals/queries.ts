import { queryOptions } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { Tables } from '@/types/database';

export type Appeal = Pick<Tables<'appeals'>, 'id' | 'kind' | 'words' | 'status' | 'decision_note' | 'created_at'>;
export type AppealKind = Appeal['kind'];

/** A decision that its person may appeal against: a suspension or a revocation, by when it was made (ISO time). */
export type AppealedDecision = { userId: string; kind: AppealKind; at: string };

const keys = {
  all: ['appeals'] as const,
  against: (decision: AppealedDecision) => ['appeals', decision] as const,
};

export const appealQueries = {
  keys,

  /** The person's own appeal against a decision, null before there is one (BEY-04). */
  against: (decision: AppealedDecision) =>
    queryOptions({
      queryKey: keys.against(decision),
      queryFn: ({ signal }): Promise<Appeal | null> =>
        unwrap(
          supabase()
            .from('appeals')
            .select('id, kind, words, status, decision_note, created_at')
            .eq('user_id', decision.userId)
            .eq('kind', decision.kind)
            .eq('against_at', decision.at)
            .abortSignal(signal)
            .maybeSingle(),
        ),
    }),
};
