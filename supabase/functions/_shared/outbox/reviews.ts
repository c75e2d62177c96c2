import { z } from 'zod';
import type { DatabaseConfig } from '../config.ts';
import { callProcedure } from '../database.ts';

/** Proofs per call: few enough to finish well before the statement timeout. */
const BATCH = 50;

/**
 * Reminds owners of pending proofs and approves those that nobody has decided in time (BEY-22); true when more may be
 * due.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export async function settleReviews(config: DatabaseConfig): Promise<boolean> {
  return (await callProcedure(config, 'settle_due_reviews', { p_limit: BATCH }, z.number().int())) === BATCH;
}
