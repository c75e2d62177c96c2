import { z } from 'zod';

const PLAN = 'og_lifetime';

/** Body of `POST /api/stripe/create-checkout-session` (SUBS-05). Price and plan name the plan; the server knows the rest. */
export const checkoutInput = z.object({
  priceId: z.literal(PLAN),
  planId: z.literal(PLAN),
  startupId: z.uuid(),
  /** The price that the page showed (TRUST-20). */
  expectedCents: z.int().positive().optional(),
  successUrl: z.string().min(1).max(2_048),
  cancelUrl: z.string().min(1).max(2_048),
});

/** What `reserve_checkout_slot` answers: the terms of the sale, from the settings. */
export const checkoutTerms = z.object({
  price_cents: z.number().int().positive(),
  plan_id: z.literal(PLAN),
  startup_name: z.string(),
  /** The slot held for this page, if one could be (C-103); comes back with the page's end and frees it. */
  hold_id: z.uuid().nullable(),
});
