import { useMutation } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { AppealKind } from './queries';

/** Appeals against one's suspension or one's project's revocation, once each time. Errors: see submit_appeal. */
export function useSubmitAppeal() {
  return useMutation({
    mutationFn: async ({ kind, words }: { kind: AppealKind; words: string }): Promise<void> => {
      await unwrap(supabase().rpc('submit_appeal', { p_kind: kind, p_words: words }).select('id'));
    },
    meta: { calls: ['submit_appeal'] },
  });
}
