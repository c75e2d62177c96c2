import { queryOptions } from '@tanstack/react-query';
import { supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Tables } from '@/types/database';

export type Appeal = Pick<
  Tables<'appeals'>,
  'id' | 'kind' | 'words' | 'status' | 'decision_note' | 'created_at' | 'due_at'
>;
export type AppealKind = Appeal['kind'];

/** A decision that can be appealed, identified by its time (ISO) and, for a rejection, by the submission. */
export type AppealedDecision = { userId: string; kind: AppealKind; at: string; submissionId?: string };

/** The person's own appeal against a decision, null before there is one. */
export async function fetchAppeal(decision: AppealedDecision, signal?: AbortSignal): Promise<Appeal | null> {
  const { userId, kind, at, submissionId } = decision;
  const appeal = supabase().from('appeals').select('id, kind, words, status, decision_note, created_at, due_at');
  const against = appeal.eq('user_id', userId).eq('kind', kind).eq('against_at', at);
  const ofProof = submissionId ? against.eq('submission_id', submissionId) : against;
  return unwrap(withSignal(ofProof, signal).maybeSingle());
}

const keys = {
  all: ['appeals'] as const,
  against: (decision: AppealedDecision) => ['appeals', decision] as const,
};

export const appealQueries = {
  keys,

  /** The person's own appeal against a decision, null before there is one (BEY-04, BEY-23). */
  against: (decision: AppealedDecision) =>
    queryOptions({
      queryKey: keys.against(decision),
      queryFn: ({ signal }) => fetchAppeal(decision, signal),
    }),
};
