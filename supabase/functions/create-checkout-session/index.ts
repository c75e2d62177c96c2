/**
 * `POST /api/stripe/create-checkout-session` (SUBS-05, C-19, C-21). The bearer is the session token; the server takes
 * the person from it, checks that the startup is theirs, that a slot is free, and sets price and plan itself.
 * Answers `{ url }` of Stripe's payment page or the error of `serveFunction`.
 */
import type Stripe from 'stripe';
import { z } from 'zod';
import { requireUser } from '../_shared/auth.ts';
import { readJson } from '../_shared/body.ts';
import { databaseVariables, identityVariables, lazyConfig, siteVariables, stripeVariables } from '../_shared/config.ts';
import { callProcedure, limitRate } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { serveFunction } from '../_shared/serve.ts';
import { callStripe, stripeClient } from '../_shared/stripe.ts';
import { checkoutInput, checkoutTerms } from './input.ts';
import { sameSiteUrl } from './return-url.ts';

const MAX_BODY_BYTES = 16 * 1024;
const MAX_CALLS = 10;
const CALLS_WINDOW_SECONDS = 600;
/** Stripe's shortest life of a payment page is 30 minutes; a little more, because its clock decides. */
const SESSION_SECONDS = 31 * 60;

const variables = databaseVariables
  .extend(siteVariables.shape)
  .extend(identityVariables.shape)
  .extend(stripeVariables.shape);
type Config = z.infer<typeof variables>;
type Terms = z.infer<typeof checkoutTerms>;

serveFunction({ name: 'create-checkout-session', config: lazyConfig(variables), post: createCheckoutSession });

async function createCheckoutSession(request: Request, config: Config): Promise<Response> {
  const userId = await requireUser(request, config);
  await limitRate(config, userId, 'create-checkout-session', MAX_CALLS, CALLS_WINDOW_SECONDS);
  const input = await readJson(request, checkoutInput, MAX_BODY_BYTES);
  const returnUrls = {
    success_url: sameSiteUrl(input.successUrl, config),
    cancel_url: sameSiteUrl(input.cancelUrl, config),
  };

  const email = await callProcedure(config, 'get_user_email_by_clerk_id', { p_user_id: userId }, z.string().nullable());
  const terms = await callProcedure(
    config,
    'reserve_checkout_slot',
    {
      p_user_id: userId,
      p_startup_id: input.startupId,
      p_plan_id: input.planId,
      p_expected_cents: input.expectedCents ?? null,
    },
    checkoutTerms,
  );
  const page = {
    ...sale(terms, input.startupId, userId),
    ...returnUrls,
    ...(email ? { customer_email: email } : {}),
    expires_at: Math.floor(Date.now() / 1000) + SESSION_SECONDS,
  };
  try {
    return Response.json({ url: await openPage(page, config) });
  } catch (error) {
    // Nobody can pay on a page whose address nobody was told: others may have the slot.
    if (terms.hold_id) {
      await callProcedure(config, 'release_checkout_slot', { p_hold_id: terms.hold_id }, z.unknown()).catch(() => null);
    }
    throw error;
  }
}

/** @throws FunctionError PAYMENT_PROVIDER_FAILED */
async function openPage(page: Stripe.Checkout.SessionCreateParams, config: Config): Promise<string> {
  const { url } = await callStripe(() => stripeClient(config).checkout.sessions.create(page));
  if (!url) throw new FunctionError('PAYMENT_PROVIDER_FAILED');
  return url;
}

/** What is sold to whom. The metadata comes back in the payment's event and names whose subscription it is. */
function sale(terms: Terms, startupId: string, userId: string): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    startup_id: startupId,
    plan_id: terms.plan_id,
    user_id: userId,
    ...(terms.hold_id && { hold_id: terms.hold_id }),
    price_cents: terms.price_cents,
  };
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: terms.price_cents,
          product_data: { name: 'OG Lifetime Access', description: `Questboard for ${terms.startup_name}` },
        },
      },
    ],
    client_reference_id: startupId,
    metadata,
    payment_intent_data: { metadata },
  };
}
