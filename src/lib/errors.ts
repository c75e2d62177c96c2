import { databaseCodes, functionCodes, type PlatformCode, platformCodes, platformSentences } from './error-codes';

/**
 * The one kind of error that reaches the screen. `message` is a sentence for people, `code` a stable machine code
 * (docs/errors.md or PlatformCode), `status` the HTTP status, 0 when there was no answer.
 */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 0, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = status;
  }
}

const knownCodes: ReadonlySet<string> = new Set([...databaseCodes, ...functionCodes]);

/** What PostgREST, Storage and the edge functions answer with; all parts are optional because none is certain. */
type WireError = {
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
  429: 'RATE_LIMITED',
};

function isNetworkFailure(error: WireError, status: number | undefined): boolean {
  const text = error.message ?? '';
  return (
    (status ?? 0) === 0 && /failed to fetch|networkerror|load failed|network request failed|fetch failed/i.test(text)
  );
}

/**
 * Turns anything thrown or returned as an error into an AppError. Sentences of known codes pass; every other database
 * message is replaced by a safe one and kept as `cause`.
 */
export function toAppError(error: unknown, httpStatus?: number): AppError {
  if (error instanceof AppError) return error;
  if (!isWireError(error)) return platformError('UNKNOWN', httpStatus ?? 0, error);

  const status = httpStatus ?? error.status ?? Number(error.statusCode ?? 0);
  // Procedures put their code into the hint, edge functions into the code.
  const code = [error.hint, error.code].find((candidate) => knownCodes.has(candidate ?? ''));
  if (code) return new AppError(code, error.message ?? '', status, error);
  if (isNetworkFailure(error, status)) return platformError('NETWORK', 0, error);
  const platformCode = (error.code && platformCodes[error.code]) || statusCodes[status] || 'UNKNOWN';
  return platformError(platformCode, status, error);
}

/** The sentence to show for any failure. */
export function errorMessage(error: unknown): string {
  return toAppError(error).message;
}

/** True when signing in again is what helps. */
export function isSessionExpired(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'SESSION_EXPIRED' || error.code === 'UNAUTHENTICATED');
}

/** True when asking again cannot help: the server understood and refused (4xx), waiting times apart. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.status >= 400 && error.status < 500 && error.status !== 408;
}
