/**
 * `POST /api/stripe/create-checkout-session` (SUBS-05, C-19, C-21, BEY-20). The bearer is the session token; the server
 * takes the person from it, checks that the startup is theirs, and sets the price of the plan or of a pack of points itself.
 * Answers `{ url }` of Stripe's payment page or the error of `serveFunction`.
 */
import type Stripe from 'stripe';
import { z } from 'zod';
import { requireUser } from '../_shared/auth.ts';
import { readJson } from '../_shared/body.ts';
import {
  databaseVariables,
  identityVariables,
  lazyConfig,
  siteVariables,
  stripeVariables,
  taxVariables,
} from '../_shared/config.ts';
import { callProcedure, limitRate } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { serveFunction } from '../_shared/serve.ts';
import { callStripe, stripeClient } from '../_shared/stripe.ts';
import { checkoutInput } from './input.ts';
import { getOffer, type Offer } from './offer.ts';
import { sameSiteUrl } from './return-url.ts';

const MAX_BODY_BYTES = 16 * 1024;
const MAX_CALLS = 10;
const CALLS_WINDOW_SECONDS = 600;
/** Stripe's shortest life of a payment page is 30 minutes; a little more, because its clock decides. */
const SESSION_SECONDS = 31 * 60;

const variables = databaseVariables
  .extend(siteVariables.shape)
  .extend(identityVariables.shape)
  .extend(stripeVariables.shape)
  .extend(taxVariables.shape);
type Config = z.infer<typeof variables>;

serveFunction({ name: 'create-checkout-session', config: lazyConfig(variables), post: createCheckoutSession });

async function createCheckoutSession(request: Request, config: Config): Promise<Response> {
  const userId = await requireUser(request, config);
  await limitRate(config, `user:${userId}`, 'create-checkout-session', MAX_CALLS, CALLS_WINDOW_SECONDS);
  const input = await readJson(request, checkoutInput, MAX_BODY_BYTES);
  const returnUrls = {
    success_url: sameSiteUrl(input.successUrl, config),
    cancel_url: sameSiteUrl(input.cancelUrl, config),
  };

  const email = await callProcedure(config, 'get_user_email_by_clerk_id', { p_user_id: userId }, z.string().nullable());
  const offer = await getOffer(input, userId, config);
  const page = {
    ...sale(offer, input.startupId, config),
    ...returnUrls,
    ...(email ? { customer_email: email } : {}),
    expires_at: Math.floor(Date.now() / 1000) + SESSION_SECONDS,
  };
  try {
    return Response.json({ url: await openPage(page, config) });
  } catch (error) {
    // Nobody has the URL of the page, so nobody can pay on it: release the slot.
    if (offer.holdId) {
      await callProcedure(config, 'release_checkout_slot', { p_hold_id: offer.holdId }, z.unknown()).catch(() => null);
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

/** Content of the page: the line item, and invoice, terms and tax (C-110). */
function sale(offer: Offer, startupId: string, config: Config): Stripe.Checkout.SessionCreateParams {
  const terms = `By paying you accept our [terms of use](${config.SITE_URL}/terms).`;
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: offer.priceCents,
          // Tax is added on top of the price.
          tax_behavior: 'exclusive',
          product_data: { name: offer.name, description: `Questboard for ${offer.startupName}` },
        },
      },
    ],
    custom_text: { submit: { message: terms } },
    invoice_creation: { enabled: true, invoice_data: { metadata: offer.metadata } },
    tax_id_collection: { enabled: true },
    ...(config.STRIPE_AUTOMATIC_TAX && { automatic_tax: { enabled: true } }),
    client_reference_id: startupId,
    metadata: offer.metadata,
    payment_intent_data: { metadata: offer.metadata },
  };
}
