import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { AppError, hadNoEffect, toAppError } from '@/lib/errors';
import { isRolledBack } from '@/lib/send-once';
import type { KnownCall } from '@/lib/stale-queries';
import { supabase, unwrap } from '@/lib/supabase';

/** Records an export of personal data in the audit log (BEY-04). Errors: see record_admin_export. */
export async function recordExport(what: string, rows: number): Promise<void> {
  await unwrap(supabase().rpc('record_admin_export', { p_what: what, p_rows: rows }));
}

/** Whether there was no answer: no connection, or a gateway that gave up on the server. After a lookup the codes are different. */
const isLost = (error: unknown): error is AppError =>
  error instanceof AppError &&
  (error.code === 'NETWORK' || error.code === 'UNKNOWN') &&
  !hadNoEffect(error) &&
  !isRolledBack(error);

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

/** Codes with which a decision is refused that has been made before. A test compares them with what the schema raises. */
export const madeBefore: ReadonlySet<string> = new Set([
  'ALREADY_REVERSED',
  'ALREADY_REVIEWED',
  'APPEAL_DECIDED',
  'EVENT_NOT_FAILED',
  'FLAG_DISMISSED',
  'NOTHING_MISSING',
  'NOT_APPROVED',
  'NOT_VERIFIED',
  'REDEMPTION_HANDLED',
  'STATUS_FINAL',
]);

/** Whether a decision was refused because it has been made before, also where an earlier answer of it was lost. */
export const isMadeBefore = (error: unknown): boolean =>
  error instanceof AppError && (madeBefore.has(error.code) || isMadeBefore(error.cause));

/** Whether the call may have had its effect: nobody has answered, or looking it up has settled nothing. */
const isUnanswered = (error: unknown): boolean =>
  isLost(error) || ['OUTCOME_UNKNOWN', 'NOT_APPLIED'].includes(toAppError(error).code);

/** A repeated decision may be refused because the first press was successful, so it is not reported as a failure (C-99). */
function rethrowMadeBefore(error: unknown): never {
  const { code, status } = toAppError(error);
  if (!madeBefore.has(code)) throw error;
  throw new AppError(
    'OUTCOME_UNKNOWN',
    'This has already been decided, perhaps by your own earlier press, whose answer was lost. Please look again.',
    status,
    error,
  );
}

/**
 * An admin mutation; `mutateAsync` resolves after the active queries have been refetched. Throws OUTCOME_UNKNOWN after a lost answer, also
 * when it is repeated and that shows that it has been made before, and NETWORK when it was not sent because there is no network.
 */
export function useAdminMutation<Input, Output>(
  call: KnownCall,
  run: (input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  const unanswered = useRef(new Set<string>());
  return useMutation({
    mutationFn: (input: Input) => {
      const sent = JSON.stringify(input);
      return run(input).catch((error: unknown) => {
        if (isUnanswered(error)) unanswered.current.add(sent);
        return unanswered.current.has(sent) && !isLost(error) ? rethrowMadeBefore(error) : rethrowLost(error);
      });
    },
    meta: { calls: [call] },
  });
}

/** Why points cannot be taken back, and what an admin can do: a wallet does not go below zero. */
export const spentSentence = (name: string): string =>
  `${name} has spent these points and has fewer left. Cancel a redemption that is still pending, or take what is left with “Correct points” in the People tab.`;
