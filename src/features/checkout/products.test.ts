import { ogPlan } from './products';

it('SUBS-01 HOME-07 the plan is $99 instead of $297, 67% off, 100 slots', () => {
  expect(ogPlan()).toEqual({ priceCents: 9900, originalCents: 29_700, percentOff: 67, slots: 100 });
});

it('follows the settings', () => {
  const settings = { og_price_cents: 14_950, og_original_price_cents: 29_900, og_slots: 20 };
  expect(ogPlan(settings)).toEqual({ priceCents: 14_950, originalCents: 29_900, percentOff: 50, slots: 20 });
});
