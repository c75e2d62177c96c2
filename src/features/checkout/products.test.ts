import { settingsRow } from '@/lib/testing/rows';
import { ogPlan, pointPacks } from './products';

it('SUBS-01 HOME-07 the plan is $99 instead of $297, 67% off, 100 slots', () => {
  expect(ogPlan()).toEqual({ priceCents: 9900, originalCents: 29_700, percentOff: 67, slots: 100 });
});

it('follows the settings', () => {
  const settings = { og_price_cents: 14_950, og_original_price_cents: 29_900, og_slots: 20 };
  expect(ogPlan(settings)).toEqual({ priceCents: 14_950, originalCents: 29_900, percentOff: 50, slots: 20 });
});

it('BEY-20 the packs are those that the settings sell, under their checkout ids', () => {
  const settings = settingsRow({
    pack_small_points: 1000,
    pack_small_cents: 900,
    pack_medium_points: 0,
    pack_medium_cents: 5,
    pack_large_points: 1,
    pack_large_cents: 7900,
  });
  expect(pointPacks(settings)).toEqual([
    { id: 'points_small', points: 1000, cents: 900 },
    { id: 'points_large', points: 1, cents: 7900 },
  ]);
});
