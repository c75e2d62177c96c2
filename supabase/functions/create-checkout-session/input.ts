import { z } from 'zod';

const PLAN = 'og_lifetime';
const product = z.union([z.literal(PLAN), z.string().regex(/^points_[a-z]{1,20}$/)]);

/**
 * Body of `POST /api/stripe/create-checkout-session` (SUBS-05). Price and plan both name the product, the plan or a pack of
 * points (BEY-20); the server knows the rest.
 */
export const checkoutInput = z
  .object({
    priceId: product,
    planId: product,
    startupId: z.uuid(),
    /** The price that the page showed (TRUST-20). */
    expectedCents: z.int32().positive().optional(),
    successUrl: z.string().min(1).max(2_048),
    cancelUrl: z.string().min(1).max(2_048),
  })
  .refine(({ priceId, planId }) => priceId === planId);

/** What `reserve_checkout_slot` answers: the terms of the sale, from the settings. */
export const planTerms = z.object({
  price_cents: z.number().int().positive(),
  plan_id: z.literal(PLAN),
  startup_name: z.string(),
  /** The slot held for this page, if one could be (C-103); comes back with the page's end and frees it. */
  hold_id: z.uuid().nullable(),
});

/** What `get_pack_terms` answers. */
export const packTerms = z.object({
  price_cents: z.number().int().positive(),
  pack_id: z.string(),
  points: z.number().int().positive(),
  startup_name: z.string(),
});

export const isPlan = (productId: string) => productId === PLAN;
