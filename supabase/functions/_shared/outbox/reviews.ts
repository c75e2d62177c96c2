import { z } from 'zod';
import type { DatabaseConfig } from '../config.ts';
import { callProcedure } from '../database.ts';

/** Proofs of one call: few enough that it is over long before the database would end it. */
const BATCH = 50;

/**
 * Reminds owners of what waits and approves what nobody has decided in time (BEY-22); true when more may be due.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function settleReviews(config: DatabaseConfig): Promise<boolean> {
  return (await callProcedure(config, 'settle_due_reviews', { p_limit: BATCH }, z.number().int())) === BATCH;
}
