/** A problem of the environment that the developer can fix; printed as one sentence without a stack trace. */
export class UserError extends Error {
  override name = 'UserError';
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system or database error such as `EACCES` or `42501`, if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
