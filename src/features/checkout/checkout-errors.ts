import * as z from 'zod/mini';
import { AppError } from '@/lib/errors';

const bodySchema = z.object({ code: z.string(), message: z.string() });

/** What an unworded failure reads (SUBS-06). */
export const failedToStart = 'Failed to start subscription';

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
  return new AppError(code, failedToStart, status);
}
