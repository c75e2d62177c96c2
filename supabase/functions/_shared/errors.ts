/**
 * Every error of the functions, with stable code, message for people and HTTP status. Errors of database procedures
 * keep their own code and message (`DatabaseError`).
 */
export const FUNCTION_ERRORS = {
  UNAUTHENTICATED: { status: 401, message: 'Please sign in to continue.' },
  FORBIDDEN: { status: 403, message: 'Forbidden' },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'This site may not call this address.' },
  NOT_YOUR_ADDRESS: { status: 403, message: 'The welcome email goes only to your own verified address.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not support that method.' },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  INVALID_JSON: { status: 400, message: 'The request body is not valid JSON.' },
  INVALID_INPUT: { status: 400, message: 'Some fields are missing or wrong.' },
  FOREIGN_URL: { status: 400, message: 'Return addresses must be on this site.' },
  NOT_A_PICTURE: { status: 422, message: 'Please select an image file (PNG, JPG, GIF, etc.)' },
  PICTURE_TOO_LARGE: {
    status: 422,
    message: 'This picture is too large. Please use one of at most 2,560 pixels a side.',
  },
  INVALID_SIGNATURE: { status: 400, message: 'The webhook signature does not match.' },
  STALE_SIGNATURE: {
    status: 400,
    message: 'The timestamp is more than five minutes away from now. Please sign the call again.',
  },
  CHECK_NOT_COMPLETED: { status: 409, message: 'This is not done yet. Finish it at the project, then verify again.' },
  CHECK_ADDRESS_REFUSED: {
    status: 422,
    message: 'This address cannot be checked. Use an https address of the public internet that does not redirect.',
  },
  CHECK_TOO_SLOW: { status: 424, message: 'The project did not answer within ten seconds. Please try again later.' },
  CHECK_NOT_UNDERSTOOD: {
    status: 424,
    message: 'The project sent a response that was not valid. Please try again later.',
  },
  CHECK_BUSY: { status: 424, message: 'GitHub’s limit is reached. Please try again in a minute.' },
  CHECK_UNREACHABLE: { status: 424, message: 'The project could not be reached. Please try again later.' },
  CHECK_SWITCHED_OFF: { status: 409, message: 'This kind of check is switched off at the moment.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  MAIL_NOT_SENT: { status: 502, message: 'The email could not be sent.' },
  PAYMENT_PROVIDER_FAILED: { status: 502, message: 'The payment provider did not answer. Please try again.' },
  DATABASE_UNAVAILABLE: { status: 503, message: 'The service is busy. Please try again.' },
  IDENTITY_UNAVAILABLE: { status: 503, message: 'Your session could not be checked. Please try again.' },
  NOT_CONFIGURED: { status: 500, message: 'This function is not configured.' },
  UNEXPECTED: { status: 500, message: 'Something went wrong.' },
} as const;

export type ErrorCode = keyof typeof FUNCTION_ERRORS;

/** An error response. `details` may name fields and variables, never their values. */
export class FunctionError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly string[];

  constructor(code: ErrorCode, details: readonly string[] = [], cause?: unknown) {
    super(FUNCTION_ERRORS[code].message, { cause });
    this.code = code;
    this.status = FUNCTION_ERRORS[code].status;
    this.details = details;
  }
}

/** A refusal by a stored procedure: `code` is its hint and `message` its sentence, both from docs/errors.md. */
export class DatabaseError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/**
 * The cause of a failure for the log, without request content: a library's error code if it has one, else its message.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof FunctionError && error.details.length > 0) return error.details.join('; ');
  const cause = error instanceof Error && error.cause ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const detail = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
  return `${cause.name}: ${detail}`;
}
