import { AppError, toAppError } from './errors';

/**
 * Awaits a call; a failure that neither the database nor the platform has worded gets this code and sentence. Refusals,
 * a lost connection and an ended session keep their own, which help more.
 */
export async function nameFailure<Data>(call: Promise<Data>, code: string, sentence: string): Promise<Data> {
  try {
    return await call;
  } catch (error) {
    const known = toAppError(error);
    throw known.code === 'UNKNOWN' ? new AppError(code, sentence, known.status, error) : known;
  }
}
