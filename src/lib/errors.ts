/**
 * The one kind of error that reaches the screen. `message` is a sentence for people, `code` a stable machine code
 * (docs/errors.md or PlatformCode), `status` the HTTP status, 0 when there was no answer.
 */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: string;
  readonly status: number;
  /** Start of the request id, by which its log lines are found; set by the platform and our functions. */
  readonly reference: string | undefined;
  /** `Retry-After` in seconds, if the server sent it. */
  readonly retryAfter: number | undefined;

  constructor(code: string, message: string, status = 0, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.reference = referenceOf(cause);
    this.retryAfter = retryAfterOf(cause);
  }
}

/** Our own codes for failures of the platform and the browser. */
const platformSentences = {
  NETWORK: 'Network error. Please check your connection and try again.',
  SESSION_EXPIRED: 'Your session has ended. Please sign in again to continue.',
  FORBIDDEN: 'Forbidden',
  NOT_FOUND: 'We could not find what you asked for.',
  DUPLICATE: 'This already exists.',
  TIMEOUT: 'That took too long. Please try again.',
  INVALID_INPUT: 'Some fields are missing or wrong.',
  TOO_LARGE: 'File is too large. Please use a smaller file.',
  BUSY: 'We are very busy right now. Try again in a moment.',
  UNKNOWN: 'Something went wrong on our side. Please try again.',
} as const;

type PlatformCode = keyof typeof platformSentences;

/**
 * Pattern of our own codes (docs/errors.md). No SQLSTATE, PostgREST code or database hint matches it, so that a message
 * for people can be told from one for developers without loading the list of all codes before the first paint.
 */
const ownCode = /^[A-Z]+(_[A-Z]+)*$/;

/** Number of characters of a request id that are shown to people. */
export const referenceLength = 8;

function referenceOf(cause: unknown): string | undefined {
  if (cause instanceof AppError) return cause.reference;
  const id = isWireError(cause) ? cause.requestId : undefined;
  return typeof id === 'string' ? id.slice(0, referenceLength) : undefined;
}

function retryAfterOf(cause: unknown): number | undefined {
  if (cause instanceof AppError) return cause.retryAfter;
  const seconds = isWireError(cause) ? cause.retryAfter : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
}

/** Error shape of PostgREST, Storage and the edge functions; no part is guaranteed. */
type WireError = {
  requestId?: string;
  retryAfter?: number;
  message?: string;
  code?: string;
  hint?: string | null;
  status?: number;
  statusCode?: string | number;
};

function isWireError(value: unknown): value is WireError {
  return typeof value === 'object' && value !== null && 'message' in value;
}

function platformError(code: PlatformCode, status: number, cause: unknown): AppError {
  return new AppError(code, platformSentences[code], status, cause);
}

const statusCodes: Readonly<Record<number, PlatformCode>> = {
  401: 'SESSION_EXPIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'TOO_LARGE',
  429: 'BUSY',
};

function isNetworkFailure(error: WireError, status: number | undefined): boolean {
  const text = error.message ?? '';
  return (
    (status ?? 0) === 0 && /failed to fetch|networkerror|load failed|network request failed|fetch failed/i.test(text)
  );
}

/**
 * Converts anything thrown or returned as an error into an AppError. Messages of our own codes are kept; every other
 * database message is replaced by a safe one and kept as `cause`.
 */
export function toAppError(error: unknown, httpStatus?: number): AppError {
  if (error instanceof AppError) return error;
  if (!isWireError(error)) return platformError('UNKNOWN', httpStatus ?? 0, error);

  // An empty code is no answer: also with the 400 that PostgREST gives when it has lost the database in the middle of a call, which may
  // have had its effect.
  const status = error.code === '' ? 0 : (httpStatus ?? error.status ?? Number(error.statusCode ?? 0));
  // Procedures put their code into `hint`, edge functions into `code`.
  const code = [error.hint, error.code].find((candidate) => ownCode.test(candidate ?? ''));
  if (code) return new AppError(code, error.message ?? '', status, error);
  if (isNetworkFailure(error, status)) return platformError('NETWORK', 0, error);
  const platformCode = (error.code && platformCodes[error.code]) || statusCodes[status] || 'UNKNOWN';
  return platformError(platformCode, status, error);
}

/** A screen's overrides of error messages. */
export type ErrorOverrides = {
  /** Replacement messages by code. */
  codes?: Readonly<Record<string, string>>;
  /** Prefix of the error's own message: 'Failed to save' gives 'Failed to save: The title is missing'. */
  prefix?: string;
  /** Message when the error's own is not useful; defaults to the prefix. */
  fallback?: string;
  /** Whether the error's own message is useful; by default, when its cause is known. */
  isMessageUseful?: (error: AppError) => boolean;
};

/** The message to show for any failure: the error's own, unless the screen overrides it. */
export function describeError(error: unknown, overrides: ErrorOverrides = {}): string {
  return withReference(errorMessage(error, overrides), error);
}

/** Appends the reference for support to the message of a server error. */
export function withReference(sentence: string, error: unknown): string {
  const isFailure = error instanceof AppError && error.status >= 500 && !isBusy(error);
  return isFailure && error.reference ? `${sentence} (Reference ${error.reference})` : sentence;
}

function errorMessage(error: unknown, overrides: ErrorOverrides): string {
  const { codes = {}, prefix, fallback, isMessageUseful = ({ code }) => code !== 'UNKNOWN' } = overrides;
  const known = toAppError(error);
  const override = codes[known.code];
  if (override !== undefined) return override;
  // What is unknown is not called a failure (C-99).
  if (known.code === 'OUTCOME_UNKNOWN') return known.message;
  if (known.message === '' || !isMessageUseful(known)) return fallback ?? prefix ?? known.message;
  return prefix === undefined ? known.message : `${prefix}: ${known.message}`;
}

/** A message of the catalogue with values filled in for `…`. */
export function fillSentence(sentence: string, ...values: (string | number)[]): string {
  const rest = [...values];
  return sentence.replace(/…/g, () => String(rest.shift() ?? ''));
}

/** For `.catch()`: rethrows a failure with another message. `code` is used when its cause is unknown. */
export function rethrow({ code, ...overrides }: ErrorOverrides & { code?: string }): (error: unknown) => never {
  return (error) => {
    const known = toAppError(error);
    const named = known.code === 'UNKNOWN' ? (code ?? known.code) : known.code;
    throw new AppError(named, errorMessage(known, overrides), known.status, error);
  };
}

/** Whether signing in again helps. */
export function isSessionExpired(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'SESSION_EXPIRED' || error.code === 'UNAUTHENTICATED');
}

/** True when the server understood the call and refused it (4xx): it had no effect, and repeating it cannot help. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof AppError) || isBusy(error)) return false;
  return error.status >= 400 && error.status < 500 && error.status !== 408;
}

/** True when the server was overloaded and has not started the call, which may succeed in a moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === 'BUSY';
}

/** True when the server refused because of a rate limit: the same call may succeed later. */
export function isRateLimited(error: unknown): boolean {
  return error instanceof AppError && error.status === 429;
}

/** True when a write is known to have changed nothing, so that its outcome need not be looked up. */
export function hadNoEffect(error: unknown): boolean {
  return isRefusal(error) || isBusy(error) || isUnsent(error);
}

/** Message of an error before a request is sent: all that the platform's clients pass on of it. */
export const unsentMessage = 'Failed to fetch (unsent)';

const isUnsent = (error: unknown): boolean =>
  error instanceof AppError && isWireError(error.cause) && `${error.cause.message}`.includes(unsentMessage);

/**
 * SQLSTATE and PostgREST codes that mean one of the above (PGRST003: waited too long for a connection to the database; PGRST102: half an
 * emoji, which is no JSON to PostgREST; PGRST116: no rows; 23505: duplicate key; class 22: no value of the type; 54001: nested too deeply),
 * and the embedded gateway's.
 */
const platformCodes: Readonly<Record<string, PlatformCode>> = {
  overloaded: 'BUSY',
  PGRST003: 'BUSY',
  PGRST102: 'INVALID_INPUT',
  PGRST116: 'NOT_FOUND',
  PGRST301: 'SESSION_EXPIRED',
  PGRST302: 'SESSION_EXPIRED',
  PGRST303: 'SESSION_EXPIRED',
  '22003': 'INVALID_INPUT',
  '22007': 'INVALID_INPUT',
  '22P02': 'INVALID_INPUT',
  '22P05': 'INVALID_INPUT',
  '23505': 'DUPLICATE',
  '42501': 'FORBIDDEN',
  '54001': 'INVALID_INPUT',
  '57014': 'TIMEOUT',
};
