import Stripe from 'stripe';
import type { StripeConfig } from './config.ts';
import { FunctionError } from './errors.ts';

/** Stripe client with a timeout and one retry, which its automatic idempotency keys make safe. */
export function stripeClient(config: StripeConfig & { PROVIDER_TIMEOUT_MS: number }): Stripe {
  const { protocol, hostname, port } = new URL(config.STRIPE_API_URL);
  return new Stripe(config.STRIPE_SECRET_KEY, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port ? { port } : {}),
    timeout: config.PROVIDER_TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(),
  });
}

/**
 * Runs a call to Stripe.
 * @throws FunctionError PAYMENT_PROVIDER_FAILED, with Stripe's own error as its cause
 */
export async function callStripe<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw new FunctionError('PAYMENT_PROVIDER_FAILED', [], error);
  }
}
