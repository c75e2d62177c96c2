import { AppError, describeError } from '@/lib/errors';
import { checkoutErrors } from './mutations';

it.each([
  [409, 'SOLD_OUT', 'Sold Out', 'Failed to create checkout session: Sold Out'],
  [502, 'PAYMENT_PROVIDER_FAILED', 'The provider failed', 'Stripe API error (502): The provider failed'],
  [500, 'CHECKOUT_FAILED', '', 'Stripe API error (500): No answer'],
  [404, 'CHECKOUT_FAILED', '', 'Failed to start subscription'],
])('SUBS-06 status %i is worded by its kind of failure', (status, code, message, sentence) => {
  expect(describeError(new AppError(code, message, status), checkoutErrors(status))).toBe(sentence);
});
