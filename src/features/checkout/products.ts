import type { Subscription } from '@/features/projects';
import type { AppSettings } from '@/features/settings';
import { formatDate } from '@/lib/format';

/** The only plan for sale; also the price id of the checkout (SUBS-05). */
export const ogPlanId = 'og_lifetime';

/** The OG Lifetime plan in figures (SUBS-01). */
export type OgPlan = { priceCents: number; originalCents: number; percentOff: number; slots: number };

type PlanSettings = Pick<AppSettings, 'og_price_cents' | 'og_original_price_cents' | 'og_slots'>;

/** Defaults of the settings: $99 instead of $297, 100 slots. */
const defaults: PlanSettings = { og_price_cents: 9900, og_original_price_cents: 29_700, og_slots: 100 };

/** The plan from the settings; the defaults until they have loaded. Display only: the checkout sets the price. */
export function ogPlan(settings: PlanSettings = defaults): OgPlan {
  const { og_price_cents: priceCents, og_original_price_cents: originalCents, og_slots: slots } = settings;
  const percentOff = Math.max(0, Math.round((1 - priceCents / originalCents) * 100));
  return { priceCents, originalCents, percentOff, slots };
}

/** How long a plan runs. */
export const planTerm = ({ current_period_end: end }: Pick<Subscription, 'current_period_end'>): string =>
  end ? `Runs until ${formatDate(end)}.` : 'Yours for good.';

/** A pack of points that projects can buy (BEY-20). */
export type PointPack = { id: string; points: number; cents: number };

const sizes = ['small', 'medium', 'large'] as const;

/** The packs for sale according to the settings. Display only: the checkout sets the price. */
export function pointPacks(settings: AppSettings): PointPack[] {
  const packs = sizes.map((size) => ({
    id: `points_${size}`,
    points: settings[`pack_${size}_points`],
    cents: settings[`pack_${size}_cents`],
  }));
  return packs.filter(({ points }) => points > 0);
}
