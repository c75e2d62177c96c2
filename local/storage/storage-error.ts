import { codeOf, messageOf } from '../process/user-error.ts';

/**
 * An answer of the storage API other than success. `statusCode` is what the body says; the HTTP status is 400 for all
 * but failures of the server itself, because that is what the hosted storage does.
 */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly statusCode: number;
  readonly error: string;

  constructor(statusCode: number, error: string, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.error = error;
  }

  toResponse(): Response {
    const { statusCode, error, message } = this;
    const status = statusCode === 500 ? 500 : 400;
    return Response.json({ statusCode: String(statusCode), error, message }, { status });
  }
}

export const notFound = (): StorageError => new StorageError(404, 'not_found', 'Object not found');
export const bucketNotFound = (): StorageError => new StorageError(404, 'Bucket not found', 'Bucket not found');
export const tooLarge = (): StorageError =>
  new StorageError(413, 'Payload too large', 'The object exceeded the maximum allowed size');

/** Words a database error as the hosted storage does. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  switch (codeOf(error)) {
    case '42501':
      return new StorageError(403, 'Unauthorized', messageOf(error));
    case '23505':
      return new StorageError(409, 'Duplicate', 'The resource already exists');
    case '23503':
      return bucketNotFound();
    case '57014':
      return new StorageError(544, 'DatabaseTimeout', 'The database took too long');
    default:
      return new StorageError(500, 'internal', messageOf(error));
  }
}
