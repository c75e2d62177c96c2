import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { AppError, hadNoEffect } from '@/lib/errors';
import { isOwnFailure } from '@/lib/send-once';
import type { KnownCall } from '@/lib/stale-queries';
import { supabase, unwrap } from '@/lib/supabase';

/** Records an export of personal data in the audit log (BEY-04). Errors: see record_admin_export. */
export async function recordExport(what: string, rows: number): Promise<void> {
  await unwrap(supabase().rpc('record_admin_export', { p_what: what, p_rows: rows }));
}

/** Whether nobody has answered: there was no connection, or a gateway gave up on the server. What has been looked up has other codes. */
const isLost = (error: unknown): error is AppError =>
  error instanceof AppError &&
  (error.code === 'NETWORK' || error.code === 'UNKNOWN') &&
  !hadNoEffect(error) &&
  !isOwnFailure(error);

/** A call without an answer may have had its effect: what is on the screen is refetched and shows it (C-99). */
function rethrowLost(error: unknown): never {
  if (!isLost(error)) throw error;
  throw new AppError(
    'OUTCOME_UNKNOWN',
    'No answer came, so it may have gone through. Please look again before you repeat it.',
    error.status,
    error,
  );
}

/**
 * An admin mutation; `mutateAsync` resolves after the active queries have been refetched. Throws OUTCOME_UNKNOWN after a lost answer, and
 * NETWORK when it was not sent because there is no network.
 */
export function useAdminMutation<Input, Output>(
  call: KnownCall,
  run: (input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  return useMutation({
    mutationFn: (input: Input) => run(input).catch(rethrowLost),
    meta: { calls: [call] },
  });
}
