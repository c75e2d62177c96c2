import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { analytics } from '@/lib/analytics';
import { getToken } from '@/lib/auth';
import { authorizedFetch } from '@/lib/authorized-fetch';
import { AppError, type ErrorOverrides, rethrow } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useUrlText } from '@/lib/url-state';
import { ogPlanId } from './products';

const endpoint = '/api/stripe/create-checkout-session';
const answerSchema = z.object({ url: z.url({ protocol: /^https?$/ }) });
const refusalSchema = z.object({ code: z.string(), message: z.string() });

/** Message for a failure of unknown cause (SUBS-06), whose words are about the plan. */
const checkoutFailed = (productId: string): string =>
  productId === ogPlanId ? 'Failed to start subscription' : 'Failed to start the payment';

/** Return URLs of the payment page, for success and cancellation (C-20). */
function returnUrls({ productId, after }: Order) {
  const { origin } = window.location;
  if (productId !== ogPlanId) {
    const billing = `${origin}${paths.billing}`;
    const arrival = new URLSearchParams({ success: 'points', ...(after && { after }) });
    return { successUrl: `${billing}?${arrival}`, cancelUrl: `${billing}?cancelled=1` };
  }
  return {
    successUrl: `${origin}${paths.founder}?success=subscription`,
    cancelUrl: `${origin}${paths.subscribe(ogPlanId)}&cancelled=1`,
  };
}

/**
 * `productId`: the plan or a pack of points. `expectedCents`: the price that was shown; any other is refused
 * (TRUST-20). `after`: the id of the latest payment for points, which is not the one to wait for; 'none' without one.
 */
export type Order = { productId: string; projectId: string; expectedCents: number; after?: string };

/**
 * Creates a checkout session and resolves to the URL of its payment page (SUBS-05). Authenticated by the session token;
 * the server determines buyer, product and price (C-19). Throws AppError with the sentence of SUBS-06.
 */
async function createCheckoutSession(order: Order): Promise<string> {
  const { productId, projectId, expectedCents } = order;
  const failed = checkoutFailed(productId);
  /** There was no network, or the answer was lost. */
  const failToConnect = (cause: unknown): never => {
    throw new AppError('NETWORK', failed, 0, cause);
  };
  if (!(await getToken().catch(failToConnect))) {
    throw new AppError('UNAUTHENTICATED', 'User must be authenticated to create a subscription', 401);
  }
  const response = await authorizedFetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      priceId: productId,
      planId: productId,
      startupId: projectId,
      expectedCents,
      ...returnUrls(order),
    }),
  }).catch(failToConnect);
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const { data } = refusalSchema.safeParse(body);
    const message = data?.message.replace(/\.$/, '') ?? '';
    rethrow(checkoutErrors(response.status, failed))(
      new AppError(data?.code ?? 'CHECKOUT_FAILED', message, response.status),
    );
  }
  const answer = answerSchema.safeParse(body);
  if (!answer.success) throw new AppError('CHECKOUT_FAILED', failed, response.status);
  return answer.data.url;
}

/** Starts the payment for a project; resolves to the URL of the payment page and invalidates the free slots. */
export function useStartCheckout() {
  return useMutation({
    mutationFn: createCheckoutSession,
    meta: { calls: ['create_checkout_session'], refetch: 'background' },
  });
}

/**
 * Message of a failed checkout by HTTP status (SUBS-06). Our own refusals give the reason; a failure of the payment
 * provider or server names its status.
 */
export function checkoutErrors(status: number, failed = checkoutFailed(ogPlanId)): ErrorOverrides {
  if (status < 500) return { prefix: 'Failed to create checkout session', fallback: failed };
  return { prefix: `Stripe API error (${status})`, fallback: `Stripe API error (${status}): No answer` };
}

/**
 * Redirects to the payment page. `leavingFor`: the product while redirecting; `error`: why it was refused, and `failedFor`: the product;
 * `forget`: clears what the page says about the last attempt, its error or that it was cancelled.
 */
export function useCheckout() {
  const { mutateAsync, isPending, variables, error, reset } = useStartCheckout();
  const [cancelled, setCancelled] = useUrlText('cancelled');
  const [isLeaving, setIsLeaving] = useState(false);

  // With the back button, browsers may restore this page from the back/forward cache as it was left.
  useEffect(() => {
    const handleShow = () => setIsLeaving(false);
    window.addEventListener('pageshow', handleShow);
    return () => window.removeEventListener('pageshow', handleShow);
  }, []);

  const forget = () => {
    reset();
    if (cancelled) setCancelled('');
  };

  // A promise, so that the button ignores a second press, which would open a second payment page.
  const start = async (order: Order) => {
    forget();
    analytics.track('checkout_start', { label: order.productId, value: order.expectedCents / 100 });
    // Not called after this page has been left, so that nobody is taken away from another page; an unused payment page expires.
    const onSuccess = (url: string) => {
      setIsLeaving(true);
      window.location.assign(url);
    };
    // A failure is shown by `error`.
    await mutateAsync(order, { onSuccess }).catch(() => undefined);
  };
  const productId = variables?.productId ?? null;
  return {
    start,
    forget,
    error,
    failedFor: error ? productId : null,
    leavingFor: isPending || isLeaving ? productId : null,
  };
}
