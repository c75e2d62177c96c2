import type { AppSettings } from '@/features/settings';

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
