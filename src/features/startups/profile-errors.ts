import { toAppError } from '@/lib/errors';

/** The message of a failed creation; 'Unknown error' when nothing wordable came back (SPROF-09). */
export function createFailure(error: unknown): string {
  const { code, message } = toAppError(error);
  return `Failed to create profile: ${code === 'UNKNOWN' || message === '' ? 'Unknown error' : message}`;
}

function failure(error: unknown, fallback: string): string {
  const { code, message } = toAppError(error);
  return code === 'UNKNOWN' || message === '' ? fallback : message;
}

/** The message of a failed edit (SPROF-09). */
export function updateFailure(error: unknown): string {
  return failure(error, 'Failed to update startup profile');
}

/** The message of a failed deletion (SPROF-08, SPROF-09). */
export function deleteFailure(error: unknown): string {
  return failure(error, 'Failed to delete startup profile');
}
