import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { KnownCall } from '@/lib/stale-queries';
import { supabase, unwrap } from '@/lib/supabase';

/** Records an export of personal data in the audit log (BEY-04). Errors: see record_admin_export. */
export async function recordExport(what: string, rows: number): Promise<void> {
  await unwrap(supabase().rpc('record_admin_export', { p_what: what, p_rows: rows }));
}

/** An admin mutation; `mutateAsync` resolves after the active queries have been refetched. */
export function useAdminMutation<Input, Output>(
  call: KnownCall,
  run: (input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  return useMutation({ mutationFn: run, meta: { calls: [call] } });
}
