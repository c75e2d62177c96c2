import type { z } from 'zod';
import { type DatabaseConfig, installationOf } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { type checkoutInput, isPlan, packTerms, planTerms } from './input.ts';

/** The offer of a payment page. Its metadata is returned in the payment's events and identifies product and buyer. */
export interface Offer {
  name: string;
  startupName: string;
  priceCents: number;
  metadata: Record<string, string | number>;
  /** The slot held for the plan's page; nothing is held for points. */
  holdId: string | null;
}

/**
 * Asks the database for the terms: the price is that of the settings, and the project has to be the person's own.
 * @throws DatabaseError when the database refuses the sale
 */
export async function getOffer(
  input: z.infer<typeof checkoutInput>,
  userId: string,
  config: DatabaseConfig,
): Promise<Offer> {
  const order = { p_user_id: userId, p_startup_id: input.startupId, p_expected_cents: input.expectedCents ?? null };
  const buyer = { startup_id: input.startupId, user_id: userId, installation: installationOf(config) };
  if (isPlan(input.planId)) {
    const args = { ...order, p_plan_id: input.planId };
    const terms = await callProcedure(config, 'reserve_checkout_slot', args, planTerms);
    const { plan_id, price_cents, hold_id } = terms;
    return {
      name: 'OG Lifetime Access',
      startupName: terms.startup_name,
      priceCents: price_cents,
      metadata: { ...buyer, plan_id, ...(hold_id && { hold_id }), price_cents },
      holdId: hold_id,
    };
  }
  const terms = await callProcedure(config, 'get_pack_terms', { ...order, p_pack_id: input.planId }, packTerms);
  const { pack_id, points, price_cents } = terms;
  return {
    name: `${points.toLocaleString('en-US')} points`,
    startupName: terms.startup_name,
    priceCents: price_cents,
    metadata: { ...buyer, pack_id, points, price_cents },
    holdId: null,
  };
}
