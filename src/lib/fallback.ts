import { toAppError } from './errors';

/**
 * The answer of a stored procedure, or the same read from tables where the server does not have the procedure (DB-28,
 * C-90). Reads only: what changes something has no second way. Row level security shows the same rows either way; only
 * speed, caching and further pages are lost.
 */
export async function orFromTables<Data>(call: Promise<Data>, readTables: () => Promise<Data>): Promise<Data> {
  try {
    return await call;
  } catch (error) {
    // A procedure's own "not found" has a code of its own.
    const { status, code } = toAppError(error);
    if (status === 404 && code === 'NOT_FOUND') return readTables();
    throw error;
  }
}
