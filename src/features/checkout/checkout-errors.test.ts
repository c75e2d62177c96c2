import { checkoutError } from './mutations';

it.each([
  [409, { code: 'SOLD_OUT', message: 'Sold Out' }, 'Failed to create checkout session: Sold Out'],
  [
    502,
    { code: 'PAYMENT_PROVIDER_FAILED', message: 'The provider failed.' },
    'Stripe API error (502): The provider failed',
  ],
  [500, '<html>', 'Stripe API error (500): No answer'],
  [404, null, 'Failed to start subscription'],
])('SUBS-06 the status %i reads as its kind of failure', (status, body, sentence) => {
  expect(checkoutError(status, body)).toMatchObject({ message: sentence, status });
});
