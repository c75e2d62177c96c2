import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { getToken } from '@/lib/auth';
import { AppError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { ogPlanId } from './og-plan';
import { checkoutQueries } from './queries';

const endpoint = '/api/stripe/create-checkout-session';
const answerSchema = z.object({ url: z.url({ protocol: /^https?$/ }) });

/** Where the payment page leads back to, paid or not (C-20). */
function returnUrls() {
  const { origin } = window.location;
  return {
    successUrl: `${origin}${paths.founder}?success=subscription`,
    cancelUrl: `${origin}${paths.subscribe(ogPlanId)}&cancelled=1`,
  };
}

/**
 * Makes a checkout session and gives the address of its payment page (SUBS-05). The bearer is the session's token; who
 * pays, for what and how much, the server knows itself (C-19). Throws AppError with the sentence of SUBS-06.
 */
async function createCheckoutSession(projectId: string): Promise<string> {
  const token = await getToken();
  if (!token) throw new AppError('UNAUTHENTICATED', 'User must be authenticated to create a subscription', 401);
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ priceId: ogPlanId, planId: ogPlanId, startupId: projectId, ...returnUrls() }),
  }).catch((cause: unknown) => {
    throw new AppError('NETWORK', checkoutFailed, 0, cause);
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw checkoutError(response.status, body);
  const answer = answerSchema.safeParse(body);
  if (!answer.success) throw new AppError('CHECKOUT_FAILED', checkoutFailed, response.status);
  return answer.data.url;
}

/** Starts the payment for a startup; resolves to the payment page's address. A refusal renews the free slots. */
export function useStartCheckout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: createCheckoutSession,
    onError: () => queryClient.invalidateQueries({ queryKey: checkoutQueries.all() }),
  });
}

const bodySchema = z.object({ code: z.string(), message: z.string() });

/** What an unworded failure reads (SUBS-06). */
const checkoutFailed = 'Failed to start subscription';

/**
 * The failure of a checkout by the answer's status and body (SUBS-06). Our own refusals say why; a payment provider or
 * server that failed is named with its status; anything else could simply not be started.
 */
export function checkoutError(status: number, body: unknown): AppError {
  const { data } = bodySchema.safeParse(body);
  const code = data?.code ?? 'CHECKOUT_FAILED';
  const text = data?.message.replace(/\.$/, '');
  if (status >= 500) return new AppError(code, `Stripe API error (${status}): ${text ?? 'No answer'}`, status);
  if (text) return new AppError(code, `Failed to create checkout session: ${text}`, status);
  return new AppError(code, checkoutFailed, status);
}
